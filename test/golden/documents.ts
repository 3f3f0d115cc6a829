// The documents that are made from code; the entry of `npm run docs`.
import { main as models } from './models-document';
import { main as settings } from './settings-document';
import { main as tools } from './tools-document';

export async function main(): Promise<number> {
  return (await tools()) + (await models()) + (await settings());
}
