// The demo's script: what the scripted model says and calls next, from nothing but the conversation so far.
import { join } from 'pathe';
import { shortened } from '../../../shared/cut-text';
import { type DemoHistory, type DemoStep } from './demo-history';

export interface DemoReply {
  text: string;
  /** None at the end of the script. */
  calls: { name: string; input: Record<string, unknown> }[];
}

const couponFile = 'src/coupon.js';
const testFile = 'test/coupon.test.js';
const wrongLine = 'return daysBetween(today, coupon.lastDay) <= 0;';
const rightLine = 'return daysBetween(today, coupon.lastDay) < 0;';

/** A call whose result says nothing, since somebody stopped it: its scene is played again. */
const stopped = /interrupted|^This call was not run/;

/** Pure: the same conversation always gets the same reply. */
export function demoReply(history: DemoHistory): DemoReply {
  const next = nextScene(history);
  if (history.replies === 0 || history.said === '') return next;
  if (next.calls.length === 0 && history.lastReplyWasTextOnly) return scriptOnly;
  return { ...next, text: `I am a script, so I cannot take up what you wrote; I go on with my story.\n\n${next.text}` };
}

function nextScene(history: DemoHistory): DemoReply {
  const grep = lastStep(history, 'Grep');
  if (grep === undefined) return search(history);
  if (grep.failed) return sorry('The search did not work', grep);
  const place = linesOf(grep.text, couponFile).find((line) => line.includes('daysBetween(today'));
  if (place === undefined) return elsewhere(history);

  const read = lastStep(history, 'Read', couponFile);
  if (read === undefined) return look(history);
  if (read.failed) return sorry('I could not read the file', read);
  if (!place.includes(wrongLine)) return afterTests(history) ?? runTests(fixedAlready);

  const edit = lastStep(history, 'Edit');
  if (edit === undefined) return proposeEdit(history);
  if (edit.failed) return notEdited(edit);
  return afterTests(history) ?? runTests(changes(edit) === undefined ? accepted : acceptedChanged);
}

/** What Grep found in one file: its lines stand below its path, up to an empty line. */
function linesOf(found: string, file: string): string[] {
  const [, ...lines] =
    found
      .split('\n\n')
      .map((part) => part.split('\n'))
      .find(([path]) => path === file) ?? [];
  return lines;
}

/** The last call of a tool that really ended; `file` is how its path must end. */
function lastStep({ steps }: DemoHistory, name: string, file = ''): DemoStep | undefined {
  return steps.findLast(
    (step) =>
      step.name === name &&
      String(step.input['file_path'] ?? '').endsWith(file) &&
      !(step.failed && stopped.test(step.text)),
  );
}

function search(history: DemoHistory): DemoReply {
  const hello =
    history.replies === 0
      ? greeting
      : 'From the beginning: I search for the place that decides when a coupon has expired.';
  return {
    text: hello,
    calls: [{ name: 'Grep', input: { pattern: 'lastDay', glob: '*.js', output_mode: 'content' } }],
  };
}

const greeting = `Hello, this is the **Deft demo**. I am a script, not a language model, and I work without a network: whatever you ask, I tell one story. The tools, the diff and the terminal in it are the real ones.

The story: in this little shop, a coupon is refused on its last day. I search for the place that decides it.`;

function look({ cwd }: DemoHistory): DemoReply {
  const path = (file: string): string => (cwd === undefined ? file : join(cwd, file));
  return {
    text: `\`${couponFile}\` decides it. I read it together with its tests.`,
    calls: [
      { name: 'Read', input: { file_path: path(couponFile) } },
      { name: 'Read', input: { file_path: path(testFile) } },
    ],
  };
}

function proposeEdit(history: DemoHistory): DemoReply {
  const read = lastStep(history, 'Read', couponFile);
  return {
    text: `Found it. On the last day itself, no day is left: \`daysBetween\` is 0, and \`<= 0\` counts that as expired. The tests say that the last day still counts, so it has to be \`< 0\`.

Here is the edit. You can change it before you accept it, or reject it.`,
    calls: [
      {
        name: 'Edit',
        input: { file_path: String(read?.input['file_path']), old_string: wrongLine, new_string: rightLine },
      },
    ],
  };
}

const accepted = 'The edit is in place. I run the tests to see whether that was all.';
const acceptedChanged = 'You changed my edit before you accepted it. Your version counts; I run the tests on it.';
const fixedAlready =
  'That line is right already: `< 0`, so the last day counts. There is nothing for me to change; I only run the tests.';

/** What the sample's `npm test` runs, without npm's own notices around it. */
const testCommand = 'node --test';

function runTests(text: string): DemoReply {
  return { text, calls: [{ name: 'Bash', input: { command: testCommand, description: 'Run the tests' } }] };
}

/** Undefined where the tests have not run since the last edit. */
function afterTests(history: DemoHistory): DemoReply | undefined {
  const tests = lastStep(history, 'Bash');
  if (tests === undefined) return undefined;
  const edit = lastStep(history, 'Edit');
  const yours = edit === undefined ? undefined : changes(edit);
  const whatYouChanged =
    yours === undefined ? '' : `\n\nWhat you changed in my proposal:\n\n\`\`\`diff\n${yours}\n\`\`\``;
  return { text: `${testSentence(tests, yours !== undefined)}${whatYouChanged}\n\n${goodbye}`, calls: [] };
}

function testSentence(tests: DemoStep, changed: boolean): string {
  const count = (word: string): number | undefined => {
    const found = new RegExp(`^(?:#|ℹ) ${word} (\\d+)$`, 'm').exec(tests.text)?.[1];
    return found === undefined ? undefined : Number(found);
  };
  const passed = count('pass');
  const failed = count('fail');
  if (passed === undefined || failed === undefined) {
    return `I cannot tell whether the tests pass: there is no summary in what came back. It begins: ${quoted(tests.text.replace(/^(Exit code \d+)\n/, '$1: '))}`;
  }
  if (failed === 0)
    return `All ${passed} tests pass${changed ? ', with your version of the edit' : ''}: a coupon is good on its last day again.`;
  const why = changed ? ' My own version was `< 0`; yours is what was tested.' : '';
  return `${failed} of ${passed + failed} tests still ${failed === 1 ? 'fails' : 'fail'}.${why}`;
}

function notEdited(edit: DemoStep): DemoReply {
  const reason = /They say: ([\s\S]+)/.exec(edit.text)?.[1]?.trim();
  const heard =
    reason === undefined ? '' : ` Your reason: ${quoted(reason)} A model would take that up; I am a script and cannot.`;
  const what = edit.text.startsWith('The user rejected')
    ? `You rejected the edit, so \`${couponFile}\` stays as it is, and the test of the last day goes on failing.${heard}`
    : `The edit was not made, so \`${couponFile}\` stays as it is. What came back: ${quoted(edit.text)}`;
  return { text: `${what}\n\n${goodbye}`, calls: [] };
}

/** Not the sample workspace: a look around that harms nothing. */
function elsewhere(history: DemoHistory): DemoReply {
  const glob = lastStep(history, 'Glob');
  if (glob === undefined) {
    return {
      text: 'My story needs the sample workspace, and this is another folder. I change nothing here; I only list what there is.',
      calls: [{ name: 'Glob', input: { pattern: '*' } }],
    };
  }
  if (glob.failed) return sorry('I could not list the folder', glob);
  const files = glob.text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('(') && line !== 'No files found');
  const found =
    files.length === 0
      ? 'I see no files at its top level'
      : `At its top level I see ${files.slice(0, 5).join(', ')}${files.length > 5 ? ' and more' : ''}`;
  return {
    text: `This is not the sample workspace that my script is for. ${found}; I have changed nothing. Open the sample with the command **Deft: Start Demo**, or add an API key to work with a real model here.`,
    calls: [],
  };
}

function sorry(what: string, step: DemoStep): DemoReply {
  return { text: `${what}: ${quoted(step.text)} My script ends here.\n\n${goodbye}`, calls: [] };
}

const goodbye = 'That was the demo. With an API key, a real model answers here.';

const scriptOnly: DemoReply = {
  text: 'This is a scripted demo: I can tell my one story and answer nothing else. Start a new session to see it again, or add an API key to talk to a real model.',
  calls: [],
};

/** The user's own changes to the proposal, as a diff. */
function changes(edit: DemoStep): string | undefined {
  if (!edit.text.includes('The user modified your proposed changes')) return undefined;
  const diff = /What the user changed in your proposal:\n([\s\S]*?)(?:\n\n(?:Note: |<new-diagnostics>)|$)/.exec(
    edit.text,
  )?.[1];
  return diff?.trimEnd() ?? '';
}

/** The first line with something in it, as a quotation. */
function quoted(text: string): string {
  const line =
    text
      .replace(/<[^>]*>/g, '')
      .split('\n')
      .find((candidate) => candidate.trim() !== '')
      ?.trim() ?? 'nothing';
  return `“${shortened(line, 200)}”`;
}
