// Which file a name stands for on Windows, and how it is started.
import assert from 'node:assert/strict';
import { windowsCandidates, windowsStart } from '../../../../src/node/mcp/windows-program';

const place = { environment: { Path: 'C:\\a;"D:\\b c";.;', PATHEXT: '.EXE;.CMD' }, cwd: 'C:\\w' };

describe('programs of node/mcp servers on Windows', () => {
  const names: [command: string, files: string[]][] = [
    ['npx', ['C:\\a\\npx.exe', 'C:\\a\\npx.cmd', 'D:\\b c\\npx.exe', 'D:\\b c\\npx.cmd']],
    ['npx.CMD', ['C:\\a\\npx.CMD', 'D:\\b c\\npx.CMD']],
    ['.\\run', ['C:\\w\\run.exe', 'C:\\w\\run.cmd']],
    ['E:/x/y.exe', ['E:\\x\\y.exe']],
  ];
  for (const [command, files] of names)
    it(`${command} is looked for`, () => assert.deepEqual(windowsCandidates(command, place), files));

  const starts: [file: string, args: string[], expected: object | RegExp][] = [
    ['C:\\a\\x.exe', ['a & b', '%P%', '"'], { command: 'C:\\a\\x.exe', args: ['a & b', '%P%', '"'], shell: false }],
    [
      'C:\\a b\\npx.cmd',
      ['-y', 'a & calc', 'C:\\d\\', ''],
      { command: '"C:\\a b\\npx.cmd"', args: ['"-y"', '"a & calc"', '"C:\\d\\\\"', '""'], shell: true },
    ],
    ['C:\\a\\x.BAT', ['%PATH%'], /cannot take arguments with %/],
    ['C:\\a\\x.cmd', ['a" & calc "'], /cannot take arguments with %/],
    ['C:\\a\\x.cmd', ['a\nb'], /cannot take arguments with %/],
  ];
  for (const [file, args, expected] of starts) {
    it(`${file} with ${JSON.stringify(args)}`, () => {
      const start = windowsStart(file, args);
      if (expected instanceof RegExp) assert.match(String(start), expected);
      else assert.deepEqual(start, expected);
    });
  }
});
