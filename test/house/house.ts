// `npm run house`: the state of the code, each figure next to its goal. `--check` also measures what `npm run check` costs, which is slow.
import { layers } from '../unit/tidy/import-rules';
import { type SourceFile, sourceFiles } from '../unit/tidy/source-files';
import { capFindings, type Cap, type Finding } from './cap-findings';
import { secondsOfSecondCheck } from './check-cost';
import { exceptions, mostExceptions } from './exceptions';
import { limitOf, softLimit, tooLong } from './file-caps';
import { folderCycles } from './folder-cycles';
import { interfaceMembers } from './interface-members';
import { caps } from './lint-rules.mjs';
import { examples, filesNaming } from './spread';
import { printTable, type Row } from './table';

/** Interfaces with a goal of their own. */
const sessionInterfaces = [
  { names: ['SessionSettings', 'SessionOptions'], what: 'session settings', goal: 15 },
  { names: ['AgentSession'], what: 'members of AgentSession', goal: 20 },
];
const checkSeconds = 30;
const longest = 10;

export async function main(args: readonly string[]): Promise<number> {
  const product = Object.keys(layers).flatMap(sourceFiles);
  const tests = sourceFiles('test').filter(({ path }) => !path.startsWith('test/rig/'));
  const findings = capFindings(product, { ...caps, functionLines: 0 });
  printTable('Folders in a cycle of imports, types included', cycleRows(product));
  printTable('Files', fileRows(product));
  printTable('Functions and interfaces over a cap', capRows(findings));
  printTable(`The ${longest} longest functions`, longestRows(findings));
  printTable('A session', sessionRows(product));
  printTable('Exceptions with a reason, by rule', exceptionRows([...product, ...tests]));
  printTable('Files that an example stands in', exampleRows());
  if (args.includes('--check')) printTable('The check', checkRows());
  return 0;
}

function cycleRows(files: readonly SourceFile[]): Row[] {
  return ['src/core', 'webview-ui', 'src/vscode'].map((layer) => {
    const groups = folderCycles(files.filter(({ path }) => path.startsWith(`${layer}/`)));
    return { what: layer, figure: groups.flat().length, goal: 0, details: groups.map((group) => group.join(' ')) };
  });
}

function fileRows(files: readonly SourceFile[]): Row[] {
  const over = tooLong(files);
  return [
    {
      what: 'over the hard cap',
      figure: over.length,
      goal: 0,
      details: over.map(({ path, lines }) => `${path}: ${lines} lines, at most ${limitOf(path)}`),
    },
    { what: `over ${softLimit} lines`, figure: files.filter(({ lines }) => lines > softLimit).length },
    { what: 'all', figure: files.length },
  ];
}

function capRows(findings: readonly Finding[]): Row[] {
  const words: Record<Cap, string> = {
    functionLines: `functions over ${caps.functionLines} lines`,
    complexity: `complexity over ${caps.complexity}`,
    parameters: `over ${caps.parameters} parameters`,
    members: `interfaces over ${caps.members} members`,
  };
  return (Object.keys(words) as Cap[]).map((cap) => {
    const over = findings.filter((finding) => finding.cap === cap && finding.value > caps[cap]);
    const open = over.filter(({ excused }) => !excused);
    const excused = over.length - open.length;
    return {
      what: words[cap],
      figure: open.length,
      goal: 0,
      ...(excused > 0 ? { note: `besides ${excused} with a reason` } : {}),
      details: open.map(({ path, line, what, value }) => `${path}:${line} ${what}: ${value}`),
    };
  });
}

function longestRows(findings: readonly Finding[]): Row[] {
  return findings
    .filter(({ cap }) => cap === 'functionLines')
    .slice(0, longest)
    .map(({ path, line, what, value }) => ({
      what: `${path}:${line} ${what}`,
      figure: value,
      goal: caps.functionLines,
    }));
}

function sessionRows(files: readonly SourceFile[]): Row[] {
  const core = files.filter(({ path }) => path.startsWith('src/core/'));
  return sessionInterfaces.map(({ names, what, goal }) => {
    const found = names.flatMap((name) => {
      const members = interfaceMembers(core, name);
      return members === undefined ? [] : [{ name, members }];
    })[0];
    return { what: `${what}${found === undefined ? '' : ` (${found.name})`}`, figure: found?.members.length, goal };
  });
}

function exceptionRows(files: readonly SourceFile[]): Row[] {
  const found = exceptions(files);
  return [...new Set(found.map(({ rule }) => rule))]
    .map((rule) => ({ rule, all: found.filter((exception) => exception.rule === rule) }))
    .sort((a, b) => b.all.length - a.all.length)
    .map(({ rule, all }) => ({
      what: rule,
      figure: all.length,
      goal: mostExceptions,
      details: all.map(({ path, line, reason }) => `${path}:${line} ${reason === '' ? 'WITHOUT A REASON' : reason}`),
    }));
}

function exampleRows(): Row[] {
  return examples.map((example) => {
    const files = filesNaming(example);
    return { what: `${example.change}: ${example.example}`, figure: files.length, goal: example.goal, details: files };
  });
}

function checkRows(): Row[] {
  const seconds = secondsOfSecondCheck();
  return [
    {
      what: 'processor seconds of the second run',
      figure: seconds === undefined ? undefined : Math.round(seconds * 10) / 10,
      goal: checkSeconds,
    },
  ];
}
