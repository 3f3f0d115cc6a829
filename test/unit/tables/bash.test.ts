// Bash, row by row, in a real shell: exit codes, output, folders, and what it does to the files.
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { encode as encodePng } from 'fast-png';
import { type Terminal } from '../../../src/core/ports/terminal';
import { bashTool } from '../../../src/core/tools/bash/bash';
import { createNodeTerminal } from '../../../src/node/terminal/node-terminal';
import { silentLog } from '../../support/background-tasks';
import { type ToolRow, toolTable } from '../../support/tool-table';

/** A whole one, of few bytes. */
const png = Buffer.from(
  encodePng({
    width: 30,
    height: 30,
    channels: 3,
    data: Uint8Array.from({ length: 2_700 }, (_, index) => (index * index) % 251),
  }),
).toString('base64');

const rows: ToolRow[] = [
  { name: 'output', input: { command: 'echo one; echo two' }, text: 'one\ntwo' },
  { name: 'both streams, in order', input: { command: 'echo out; echo err >&2; echo out' }, text: 'out\nerr\nout' },
  { name: 'nothing', input: { command: 'true' }, text: '(no output)' },
  { name: 'blank lines around', input: { command: "printf '\\n\\n  a\\n\\n'" }, text: '  a' },
  {
    name: 'an exit code',
    input: { command: 'echo bad; exit 3' },
    code: 'error',
    text: 'Exit code 3\nbad',
    detail: 'exit 3',
  },
  {
    name: 'an exit code that is an answer',
    files: { '/w/a': '' },
    input: { command: 'grep x a' },
    text: 'Exit code 1: nothing matched.',
  },
  {
    name: 'a command that is not there',
    input: { command: 'no-such-command-here' },
    code: 'error',
    text: /^Exit code 127\n.*not found/,
  },
  { name: 'a mistake in the syntax', input: { command: 'echo "' }, code: 'error', text: /^Exit code 2\n/ },
  { name: 'a signal', input: { command: 'kill -SEGV $$' }, code: 'error', text: /killed by SIGSEGV/ },
  { name: 'the last of a pipe counts', input: { command: 'false | echo done' }, text: 'done' },
  {
    name: 'a timeout',
    input: { command: 'echo first; sleep 61.25', timeout: 300 },
    code: 'error',
    text: /did not finish within 300 ms \(timeout counts milliseconds\) and was killed/,
  },
  {
    name: 'a timeout of what neither waits nor uses git',
    input: { command: 'echo first; tail -f /dev/null', timeout: 300 },
    text: /^first\nThe command did not finish within 300 ms \(timeout counts milliseconds\) and continues in the background\.\nCommand running in background with ID: /,
    detail: 'in the background',
  },
  { name: 'nobody types: the input is at its end', input: { command: 'cat; read x; echo "code $?"' }, text: 'code 1' },
  { name: 'a here document', input: { command: 'cat <<EOF\na  b\n$((1+1))\nEOF' }, text: 'a  b\n2' },
  { name: 'other scripts', input: { command: "echo 'größe 漢字 😀'" }, text: 'größe 漢字 😀' },
  { name: 'quotes and dollars stay', input: { command: `printf '%s|' '$HOME' "a'b" '"'` }, text: `$HOME|a'b|"|` },
  {
    name: 'output of up to 30,000 characters is whole',
    input: { command: 'seq 1 6000' },
    text: /^1\n2\n(?:\d+\n)*6000$/,
    check: ({ text }) => assert.equal(text.split('\n').length, 6_000),
  },
  {
    name: 'of longer output, head and tail in whole lines, and how many are missing',
    input: { command: 'seq 1 20000' },
    text: /^1\n2\n[^]*\n\n\.\.\. \[\d+ lines left out here; all 106KB of it are in \S+: use Read or Grep\] \.\.\.\n\n[^]*\n20000$/,
    check: ({ text }) => {
      const [missing] = /\d+(?= lines left)/.exec(text) ?? [];
      assert.equal(Number(missing) + text.split('\n').filter((line) => /^\d+$/.test(line)).length, 20_000);
      assert.ok(text.length > 11_000 && text.length < 12_300, `${text.length}`);
    },
  },
  {
    name: 'a long failure keeps head and tail',
    input: { command: 'seq 1 20000; exit 1' },
    code: 'error',
    text: /^Exit code 1\n1\n2\n[^]*lines left out here[^]*20000$/,
  },
  {
    name: 'of a long run of tests that failed, what failed and how many passed',
    input: {
      command: `echo TAP version 13; for i in $(seq 1 900); do if [ $i = 450 ]; then printf 'not ok 450 - adds up\\n  ---\\n  error: got 1\\n  ...\\n'; else echo "ok $i - passes as it should, number $i"; fi; done; echo 1..900; exit 1`,
    },
    code: 'error',
    text: /^Exit code 1\n\[899 passed tests are left out; all \d+KB of it are in \S+: use Read or Grep\]\nTAP version 13\nnot ok 450 - adds up\n {2}---\n {2}error: got 1\n {2}\.\.\.\n1\.\.900$/,
  },
  {
    name: 'of one that passed, head and tail',
    input: {
      command: 'echo TAP version 13; for i in $(seq 1 900); do echo "ok $i - passes as it should, number $i"; done',
    },
    text: /^TAP version 13\nok 1 - [^]*lines left out here[^]*ok 900 - /,
  },
  { name: 'the workspace is the folder', files: { '/w/a': 'x' }, input: { command: 'pwd; ls' }, text: '/w\na' },
  {
    name: 'a folder that it goes to',
    files: { '/w/src/a': '' },
    input: { command: 'cd src' },
    text: '(no output)',
    check: ({ change }, { root }) => assert.deepEqual(change, { cwd: `${root}/src` }),
  },
  {
    name: 'a folder outside',
    input: { command: 'cd /' },
    text: 'The command ended in /, outside the workspace. Shell cwd was reset to /w.',
    check: ({ change }) => assert.equal(change, undefined),
  },
  {
    name: 'a failure in another folder than the workspace names it',
    session: { folders: ['/elsewhere'] },
    input: { command: 'echo out; false' },
    code: 'error',
    text: 'Exit code 1\nout\nIt ran in /w.',
  },
  {
    name: 'a success there needs no words',
    session: { folders: ['/elsewhere'] },
    input: { command: 'echo out' },
    text: 'out',
  },
  {
    name: 'one of several folders is always named',
    session: { folders: ['/elsewhere', '/other'] },
    input: { command: 'echo out' },
    text: 'out\nIt ran in /w.',
  },
  {
    name: 'a failure in the only folder needs no words on it',
    input: { command: 'false' },
    code: 'error',
    text: 'Exit code 1',
  },
  {
    name: 'a file that it makes',
    input: { command: "printf 'a\\r\\n' > 'new file'" },
    text: '(no output)',
    after: { '/w/new file': 'a\r\n' },
  },
  {
    name: 'a file that it changes',
    files: { '/w/a': 'one\n', '/w/b': 'one\n' },
    input: { command: 'sed -i s/one/two/ a' },
    text: '(no output)',
    after: { '/w/a': 'two\n' },
  },
  {
    name: 'a file that it removes',
    files: { '/w/a': '', '/w/b': '' },
    input: { command: 'rm a' },
    text: '(no output)',
    after: { '/w/a': undefined },
  },
  {
    name: 'no variable of the session before',
    input: { command: 'echo "[${DEFT_TABLE_VARIABLE-}]"' },
    prepare: (place) => place.use(bashTool, { command: 'export DEFT_TABLE_VARIABLE=1' }),
    text: '[]',
  },
  {
    name: 'in the background',
    input: { command: 'sleep 62.25', run_in_background: true },
    text: /^Command running in background with ID: \S+\. Output is being written to: /,
    detail: 'in the background',
  },
  { name: 'an image', input: { command: `echo 'data:image/png;base64,${png}'` }, text: '[image]' },
  {
    name: 'an image, by another name',
    input: { command: `echo 'data:image/jpeg;base64,${png}'` },
    text: '[image]',
    check: ({ content }) =>
      assert.deepEqual(content, [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } }]),
  },
  {
    name: 'an image and a note',
    input: { command: `cd / && echo 'data:image/png;base64,${png}'` },
    text: '[image]\nThe command ended in /, outside the workspace. Shell cwd was reset to /w.',
  },
  {
    name: 'the head of an image',
    input: { command: "printf 'data:image/png;base64,iVBORw0KGgo='" },
    text: 'data:image/png;base64,iVBORw0KGgo=',
  },
  {
    name: 'an image that broke off',
    input: { command: `echo 'data:image/png;base64,${png.slice(0, 400)}'` },
    text: /^data:image\/png;base64,iVBOR/,
  },
  {
    name: 'no image at all',
    input: { command: "echo 'data:image/png;base64,AAAA'" },
    text: 'data:image/png;base64,AAAA',
  },
  {
    name: 'several images',
    files: { '/w/index.html': `<img src="data:image/png;base64,${png}"><img src="data:image/png;base64,${png}">` },
    input: { command: `grep -o 'data:image/png;base64,[^"]*' index.html` },
    text: /^data:image/,
  },
  {
    name: 'an image of a command that failed',
    input: { command: `echo 'data:image/png;base64,${png}'; exit 3` },
    code: 'error',
    text: /^Exit code 3\ndata:image/,
  },
  { name: 'no command', input: {}, code: 'InputValidationError', text: /`command`: Required/ },
  {
    name: 'a command that is a list',
    input: { command: ['ls'] },
    code: 'InputValidationError',
    text: /Expected string, received array/,
  },
  { name: 'a timeout of nothing', input: { command: 'x', timeout: 0 }, code: 'InputValidationError', text: /timeout/ },
  {
    name: 'a timeout in words',
    input: { command: 'x', timeout: 'long' },
    code: 'InputValidationError',
    text: /timeout/,
  },
  { name: 'a NUL', input: { command: 'a\0b' }, code: 'nul-character', text: /NUL/ },
  { name: 'an empty command does nothing', input: { command: '' }, text: '(no output)' },
  { name: 'a huge command', input: { command: `echo ${'x'.repeat(200_000)} | wc -c` }, text: '200001' },
];

describe('Bash, row by row', () => {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'deft-test-')));
  let terminal: Terminal;
  before(() => (terminal = createNodeTerminal({ log: silentLog, environment: process.env, root })));
  after(async () => {
    await terminal.dispose();
    rmSync(root, { recursive: true, force: true });
  });
  toolTable(bashTool, rows, { on: 'folder', ports: () => ({ terminal }) });
});
