// Runs the tests that click: mocha on Node, a real VS Code in a browser, a picture of every failure.
import Mocha from 'mocha';
import { describeApi, recoverAll } from '../e2e/support/deft';
import { closeAllWindows, describeAll, endAll, screenshotAll } from '../e2e/support/window';
import { ensureBrowser } from './browser';
import { cleanUp } from './cleanup';
import { tallyLine } from './in-host-records';
import { ensureRig, rigUnavailable } from './install';

const TEST_MILLISECONDS = 120_000;

/** `[--grep expression]` and the bundled test files; resolves with the exit code. */
export async function main(args: readonly string[], files: readonly string[]): Promise<number> {
  const reason = rigUnavailable();
  if (reason) {
    console.log(`Skipped: the end-to-end tests. ${reason}`);
    console.log(tallyLine({ passed: 0, failed: 0, skipped: await countTests(files) }));
    return 0;
  }
  ensureRig();
  ensureBrowser();
  const mocha = new Mocha({ ui: 'bdd', timeout: TEST_MILLISECONDS, reporter: 'spec' });
  mocha.cleanReferencesAfterRun(false);
  if (args.includes('--grep')) mocha.grep(new RegExp(args[args.indexOf('--grep') + 1] ?? ''));
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
  });
  for (const file of files) mocha.addFile(file);
  try {
    await mocha.loadFilesAsync();
    // A file's windows are its own: whatever it forgot to close would take memory and focus from the next.
    for (const suite of mocha.suite.suites) suite.afterAll('close windows', closeAllWindows);
    const first = await runOnce(mocha);
    // A browser on a busy machine loses a click now and then. What failed is tried again as a whole, in windows of its own: the
    // tests of a file stand on each other, and the state in which one failed says nothing about the next. A fault that stays fails.
    const again = mocha.suite.suites.filter((suite) => first.failures.some(({ suiteOf }) => suiteOf === suite));
    let { passed, skipped } = first;
    let failed = first.failures.length;
    if (again.length > 0) {
      await closeAllWindows();
      const tests = again.reduce((sum, suite) => sum + suite.total(), 0);
      console.log(`\nA second try, whole, of: ${again.map(({ title }) => title).join(', ')} (${tests} tests)`);
      const others = tally(mocha.suite.suites.filter((suite) => !again.includes(suite)));
      mocha.suite.suites = again;
      const second = await runOnce(mocha);
      passed = others.passed + second.passed;
      skipped = others.skipped + second.skipped;
      failed = second.failures.length;
    }
    if (passed + failed === 0) {
      console.error('No test ran.');
      failed = 1;
    }
    for (const { title, error } of first.failures) console.log(`Needed a second try: ${title}\n${indented(error)}`);
    console.log(tallyLine({ passed, failed, skipped }));
    return failed > 0 ? 1 : 0;
  } finally {
    await endAll();
    await cleanUp();
  }
}

/** Loaded and not run: so a skipped suite says how much it would have shown. */
export async function countTests(files: readonly string[]): Promise<number> {
  const mocha = new Mocha({ ui: 'bdd' });
  for (const file of files) mocha.addFile(file);
  await mocha.loadFilesAsync();
  return mocha.suite.total();
}

interface Failure {
  readonly title: string;
  readonly suiteOf: Mocha.Suite;
  readonly error: unknown;
}

async function runOnce(mocha: Mocha): Promise<{ passed: number; skipped: number; failures: readonly Failure[] }> {
  const failures: Failure[] = [];
  await new Promise<void>((resolve) => {
    const runner = mocha.run(() => resolve());
    // Hooks fail here, too.
    runner.on('fail', (test: Mocha.Runnable, error: unknown) =>
      failures.push({ title: test.fullTitle(), suiteOf: topSuite(test), error }),
    );
  });
  return { ...tally(mocha.suite.suites), failures };
}

function topSuite({ parent }: Mocha.Runnable): Mocha.Suite {
  let suite = parent;
  while (suite?.parent !== undefined && !suite.parent.root) suite = suite.parent;
  if (suite === undefined) throw new Error('A test stands in no suite.');
  return suite;
}

function tally(suites: readonly Mocha.Suite[]): { passed: number; skipped: number } {
  let [passed, skipped] = [0, 0];
  for (const suite of suites) {
    suite.eachTest((test) => {
      if (test.isPassed()) passed++;
      else if (test.isPending()) skipped++;
    });
  }
  return { passed, skipped };
}

async function describeFailure(title: string): Promise<void> {
  for (const picture of await screenshotAll(title)) console.log(`      picture: ${picture}`);
  for (const description of [...(await describeAll()), await describeApi()])
    console.log(description.replaceAll(/^/gm, '        | '));
}

function indented(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return text.split('\n').slice(0, 12).join('\n').replaceAll(/^/gm, '    ');
}
