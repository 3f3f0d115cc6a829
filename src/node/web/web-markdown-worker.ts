// The entry of the thread that converts one page; the only code that loads the converter.
import { parentPort, workerData } from 'node:worker_threads';
import { htmlToMarkdown } from './web-markdown';

const { html, url } = workerData as { html: string; url: string };
parentPort?.postMessage(htmlToMarkdown(html, url));
