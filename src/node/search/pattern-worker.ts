// The entry of the thread that matches one pattern: it may be ended at any moment.
import { parentPort, workerData } from 'node:worker_threads';
import { linesOf, matchesIn, searchExpression } from '../../core/search/search-pattern';
import { type PatternQuery } from '../../core/search/pattern-matcher';

const query = workerData as PatternQuery;
const expression = searchExpression(query);
parentPort?.on('message', (texts: string[]) => {
  parentPort?.postMessage(texts.map((text) => matchesIn(linesOf(text), expression, query)));
});
