// The gap after an Edit that a user accepts, without a language server and with TypeScript, and without the question.
import { openFile } from '../../rig/workbench';
import { openBenchWindow } from './open';
import { reply, toolUse } from '../../support/messages-api/script';
import type { BenchOptions } from '../main';
import type { Report } from '../report';
import { requestNumber } from './wait';
import { readProbe, sinceEpoch, startProbe } from './webview-probe';

const area = 'VS Code';

interface EditCase {
  readonly name: string;
  readonly file: string;
  /** A user clicks Accept; else the mode accepts. */
  readonly asked: boolean;
  readonly typescript: boolean;
  readonly target?: number;
  readonly peer?: string;
}

const cases: readonly EditCase[] = [
  {
    name: 'Accept to request, small text file',
    file: 'notes.txt',
    asked: true,
    typescript: false,
    target: 150,
    peer: '3.2 s',
  },
  { name: 'Accept to request, TypeScript file with its server', file: 'state.ts', asked: true, typescript: true },
  {
    name: 'gap after an Edit in acceptEdits mode, small text file',
    file: 'notes.txt',
    asked: false,
    typescript: false,
  },
];

export async function measureEdits(report: Report, { quick }: BenchOptions): Promise<void> {
  const count = quick ? 3 : 12;
  for (const each of cases) {
    const times = await acceptedEdits(each, count);
    // The first one loads the diff editor.
    const { name, target, peer } = each;
    report.add({ area, name, unit: 'ms', ...(target ? { target } : {}), ...(peer ? { peer } : {}) }, times.slice(1));
    report.add({ area, name: `${name}, the first`, unit: 'ms' }, times.slice(0, 1));
  }
}

async function acceptedEdits({ file, asked, typescript }: EditCase, count: number): Promise<number[]> {
  let folder = '';
  const content = `${typescript ? 'const wrong: number = "text";\n' : ''}let state = 0;\n${'// A line of text.\n'.repeat(40)}`;
  const deft = await openBenchWindow(
    (_request, index) => {
      if (index === 0) return reply(toolUse('Read', { file_path: `${folder}/${file}` }));
      if (index > count) return reply('Done.');
      const edit = {
        file_path: `${folder}/${file}`,
        old_string: `state = ${index - 1};`,
        new_string: `state = ${index};`,
      };
      return reply(toolUse('Edit', edit));
    },
    { files: { [file]: content }, settings: { 'deft.initialPermissionMode': asked ? 'default' : 'acceptEdits' } },
  );
  folder = deft.window.folder;
  try {
    if (typescript) {
      await openFile(deft.window.page, file);
      // The error that the file begins with: from here on the language server answers.
      await deft.window.page.locator('.squiggly-error').first().waitFor({ timeout: 60_000 });
    }
    await startProbe(deft.chat());
    await deft.send('Edit the file.');
    const times: number[] = [];
    for (let edit = 1; edit <= count; edit++) {
      if (asked)
        await deft
          .chat()
          .getByRole('button', { name: /^Accept/ })
          .first()
          .click({ timeout: 30_000 });
      const { receivedAt } = await requestNumber(deft.api, edit + 2);
      const before = deft.api.requests[edit]?.answeredAt ?? Number.NaN;
      times.push(asked ? sinceEpoch(receivedAt) - (await readProbe(deft.chat())).acted : receivedAt - before);
    }
    await deft.idle();
    return times;
  } finally {
    await deft.close();
  }
}
