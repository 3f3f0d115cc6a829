// Leaves out what Deft never calls of its libraries: half of the vendor's client, and of what cuts PDF pages. It would be read and compiled with the rest.
import { readFile } from 'node:fs/promises';

/** Clients of addresses that Deft never asks, and loops that would run tools for it. */
const client =
  /[\\/]@anthropic-ai[\\/]sdk[\\/](resources[\\/].+|lib[\\/]environments[\\/]\w+|lib[\\/]tools[\\/]\w+Runner)\.mjs$/;
const called = /[\\/]resources[\\/](beta[\\/])?((messages|models)\b|(beta|index|shared)\.mjs)/;
/** Fonts for writing text, and the reader of SVG: pages are copied as they are. */
const fonts =
  /[\\/]@cantoo[\\/]pdf-lib[\\/]es[\\/]packages[\\/]standard-fonts[\\/](Courier|Helvetica|Symbol|Times|Zapf)[\w-]*\.compressed\.json$/;
const markup = /[\\/]node-html-better-parser[\\/].+\.js$/;

export const withoutUnused = {
  name: 'without-unused',
  setup(build) {
    build.onLoad({ filter: client }, async ({ path }) => {
      if (called.test(path)) return undefined;
      const text = await readFile(path, 'utf8');
      // Errors are told apart by their classes.
      if (/class \w+ extends \w*Error\b/.test(text)) return undefined;
      const names = [...text.matchAll(/^export (?:async )?(?:class|function|const|var) (\w+)/gm)].map(
        ([, name]) => name,
      );
      return { contents: names.map((name) => `export class ${name} {}`).join('\n') };
    });
    build.onLoad({ filter: fonts }, () => ({ contents: '""', loader: 'json' }));
    build.onLoad({ filter: markup }, () => ({
      contents: 'export const parse = undefined, NodeType = undefined, HTMLElement = undefined;',
    }));
  },
};
