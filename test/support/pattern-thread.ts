// What matches patterns for the walk in tests: the built thread, or this process where the patterns are known.
import path from 'node:path';
import { type OpenPattern } from '../../src/core/search/pattern-matcher';
import { linesOf, matchesIn, searchExpression } from '../../src/core/search/search-pattern';
import { patternInThread } from '../../src/node/search/pattern-thread';
import { documentWorkers } from './document-workers';

export async function patternThread(timeoutMs?: number): Promise<OpenPattern> {
  return patternInThread(path.join(await documentWorkers(), 'pattern-worker.js'), timeoutMs);
}

export const matchHere: OpenPattern = (query) => ({
  matches: async (texts) => texts.map((text) => matchesIn(linesOf(text), searchExpression(query), query)),
  close: () => undefined,
});
