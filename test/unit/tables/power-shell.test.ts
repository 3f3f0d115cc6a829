// PowerShell, row by row, over a terminal that answers as scripted: what its exit codes mean, and what is refused.
import { type CommandEnd } from '../../../src/core/ports/command-end';
import { type CommandResult } from '../../../src/core/ports/terminal';
import { powerShellTool } from '../../../src/core/tools/bash/power-shell';
import { type GivenPorts } from '../../support/unused-ports';
import { type ToolRow, toolTable } from '../../support/tool-table';

const ended = (end: CommandEnd | number, output = 'out\n'): GivenPorts => {
  const result: CommandResult = {
    end: typeof end === 'number' ? { state: 'exited', code: end } : end,
    output,
    omittedBytes: 0,
    totalBytes: output.length,
    incomplete: false,
    outputPath: '/o',
    cwd: '/w',
    durationMs: 1,
    survivors: [],
    notes: [],
  };
  return { terminal: { run: async () => result } };
};

const rows: ToolRow[] = [
  { name: 'output', input: { command: 'Get-ChildItem' }, ports: ended(0), text: 'out' },
  { name: 'nothing', input: { command: 'Get-ChildItem' }, ports: ended(0, ''), text: '(no output)' },
  {
    name: 'a failure',
    input: { command: 'npm test' },
    ports: ended(1),
    code: 'error',
    text: 'Exit code 1\nout',
    detail: 'exit 1',
  },
  {
    name: 'robocopy that copied',
    input: { command: 'robocopy a b /MIR' },
    ports: ended(1),
    text: /^out\nExit code 1: robocopy copied files/,
  },
  {
    name: 'robocopy by its whole name',
    input: { command: 'ROBOCOPY.EXE a b' },
    ports: ended(7),
    text: /^out\nExit code 7: robocopy copied files/,
  },
  {
    name: 'robocopy that failed',
    input: { command: 'robocopy a b' },
    ports: ended(8),
    code: 'error',
    text: /^Exit code 8\nout$/,
  },
  {
    name: 'robocopy and more',
    input: { command: 'robocopy a b; npm test' },
    ports: ended(3),
    code: 'error',
    text: /^Exit code 3/,
  },
  {
    name: 'robocopy with a variable',
    input: { command: 'robocopy $a b' },
    ports: ended(3),
    code: 'error',
    text: /^Exit code 3/,
  },
  { name: 'findstr without a match', input: { command: 'findstr x a.txt' }, ports: ended(1), text: /nothing matched/ },
  {
    name: 'findstr that failed',
    input: { command: 'findstr x a.txt' },
    ports: ended(2),
    code: 'error',
    text: /^Exit code 2/,
  },
  {
    name: 'a timeout',
    input: { command: 'npm test' },
    ports: ended({ state: 'killed', by: 'timeout' }),
    code: 'error',
    text: /did not finish within 120 s and was killed/,
  },
  {
    name: 'a terminal that was closed',
    input: { command: 'npm test' },
    ports: ended({ state: 'closed' }),
    code: 'error',
    text: /closed the terminal/,
  },
  {
    name: 'no PowerShell',
    input: { command: 'npm test' },
    ports: ended({ state: 'not-started', message: 'There is no PowerShell.' }, ''),
    code: 'error',
    text: 'The command was not started: There is no PowerShell.',
  },
  { name: 'a NUL', input: { command: 'a\0b' }, code: 'nul-character', text: /NUL/ },
  { name: 'no command', input: {}, code: 'InputValidationError', text: /`command`: Required/ },
  {
    name: 'a command that is a number',
    input: { command: 7 },
    code: 'InputValidationError',
    text: /Expected string, received number/,
  },
  { name: 'a timeout of nothing', input: { command: 'x', timeout: 0 }, code: 'InputValidationError', text: /timeout/ },
];

describe('PowerShell, row by row', () => toolTable(powerShellTool, rows));
