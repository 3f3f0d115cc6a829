// Runs the tests of one file that click: mocha on Node, a picture of every failure. One process does one file after the other.
import Mocha from 'mocha';
import { describeApi, recoverAll } from '../e2e/support/deft';
import { closeAllWindows, describeAll, endAll, screenshotAll } from '../e2e/support/window';
import { cleanUp } from './cleanup';

const TEST_MILLISECONDS = 120_000;
const ERROR_LINES = 12;

export interface FileResult {
  /** The bundled file. */
  readonly file: string;
  readonly passed: number;
  readonly skipped: number;
  /** Hooks fail here, too. */
  readonly failures: readonly { readonly title: string; readonly error: string }[];
  readonly seconds: number;
}

/** Runs one bundled file; the browser and the servers stay for the next. */
export async function runFile(file: string, grep: string | undefined): Promise<FileResult> {
  const started = performance.now();
  const mocha = new Mocha({ ui: 'bdd', timeout: TEST_MILLISECONDS, reporter: 'spec' });
  if (grep !== undefined) mocha.grep(new RegExp(grep));
  // A window that does not open is described as a test that fails.
  mocha.suite.on('pre-require', (context) => {
    const { before } = context;
    context.before = (named: string | Mocha.AsyncFunc | Mocha.Func, second?: Mocha.AsyncFunc | Mocha.Func) => {
      const prepare = (typeof named === 'string' ? second : named) as Mocha.AsyncFunc;
      before(async function (this: Mocha.Context) {
        this.timeout(2 * TEST_MILLISECONDS);
        try {
          await prepare.call(this);
        } catch (error) {
          await describeFailure(`before: ${this.test?.parent?.fullTitle() ?? 'a test'}`);
          throw error;
        }
      });
    };
  });
  mocha.rootHooks({
    async afterEach(this: Mocha.Context) {
      const test = this.currentTest;
      if (test === undefined || test.state === 'passed' || test.isPending()) return;
      this.timeout(TEST_MILLISECONDS);
      await describeFailure(test.fullTitle());
      await recoverAll();
    },
    // A file's windows are its own: whatever it forgot to close would take memory and focus from the next.
    afterAll: closeAllWindows,
  });
  mocha.addFile(file);
  await mocha.loadFilesAsync();
  const failures: { title: string; error: string }[] = [];
  let [passed, skipped] = [0, 0];
  await new Promise<void>((resolve) => {
    const runner = mocha.run(() => resolve());
    runner.on('pass', () => void passed++);
    runner.on('pending', () => void skipped++);
    runner.on('fail', (test: Mocha.Runnable, error: unknown) =>
      failures.push({ title: test.fullTitle(), error: shortened(error) }),
    );
  });
  return { file, passed, skipped, failures, seconds: (performance.now() - started) / 1000 };
}

/** Ends the browser and the servers of this process, and removes its temporary folders. */
export async function endFiles(): Promise<void> {
  await endAll();
  await cleanUp();
}

async function describeFailure(title: string): Promise<void> {
  for (const picture of await screenshotAll(title)) console.log(`      picture: ${picture}`);
  for (const description of [...(await describeAll()), await describeApi()])
    console.log(description.replaceAll(/^/gm, '        | '));
}

function shortened(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return text.split('\n').slice(0, ERROR_LINES).join('\n');
}
