// One turn of a soak: a few calls of every kind and a last sentence by which its end is known.
import { reply, text, toolUse, type ReplyBlock, type ScriptedReply } from '../../support/messages-api/script';

const mostRequests = 5;
const filesRead = 40;

export const soakFiles: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from({ length: filesRead }, (_, index) => [
    `src/file${index}.ts`,
    Array.from({ length: 80 }, (_, line) => `export const value${line} = ${index} + ${line};`).join('\n'),
  ]),
);

/** The replies of turn `turn` in `folder`; the last one says `words`. */
export function soakTurn(folder: string, turn: number, words: string, random: () => number): ScriptedReply[] {
  const below = (limit: number): number => Math.floor(random() * limit);
  const calls: (() => ReplyBlock[])[] = [
    () => [toolUse('Read', { file_path: `${folder}/src/file${below(filesRead)}.ts`, offset: 1 + below(60) })],
    () => [
      toolUse('Write', { file_path: `${folder}/made/file${turn % 50}.txt`, content: `turn ${turn}\n`.repeat(20) }),
    ],
    () => [toolUse('Bash', { command: `echo turn ${turn}; seq ${below(3_000)}` })],
    () => [toolUse('Bash', { command: `echo ${turn} > /dev/null; exit 1` }), toolUse('Glob', { pattern: 'made/*' })],
    () => [toolUse('Bash', { command: `sleep 0.${below(9)}; echo late ${turn}`, run_in_background: true })],
    () => [toolUse('Grep', { pattern: `value${below(80)}`, path: folder })],
    () => {
      const file = `${folder}/src/file${turn % filesRead}.ts`;
      const name = `value${below(80)} =`;
      return [
        toolUse('Read', { file_path: file }),
        toolUse('Edit', {
          file_path: file,
          old_string: `const ${name}`,
          new_string: `const  ${name}`.replace('  ', ' '),
        }),
      ];
    },
  ];
  const requests = 1 + below(mostRequests);
  return [
    ...Array.from({ length: requests }, (_, step) =>
      reply(text(`Step ${step}.`), ...(calls[below(calls.length)]?.() ?? [])),
    ),
    reply(text(`${'An answer with some **words** and `code`. '.repeat(1 + below(20))}\n\n${words}`)),
  ];
}
