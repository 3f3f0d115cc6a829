// Refactor: changes that language servers make over many files, as one proposal that the user reviews.
import { capHunks } from '../../edits/diff-view';
import { changesView } from '../../edits/changes-view';
import { diffTexts } from '../../edits/diff-hunks';
import { type FileProposal } from '../../ports/approver';
import { buildTool, promptOf } from '../../tool/build-tool';
import {
  type AcceptedProposal,
  isFailure,
  type ToolContext,
  type ToolFailure,
  type ToolPreview,
  type ToolResult,
} from '../../tool/tool';
import { changesOfUser, MAX_PATCH_LINES } from '../edit/file-change';
import { isLate } from './late-problems';
import { newDiagnostics } from '../edit/file-diagnostics';
import { filePath } from '../files/file-path';
import { counted } from '../../../shared/counted';
import { brokenImports, brokenUses } from './broken-uses';
import { planOf } from './plan';
import { type RefactorInput, refactorInputSchema, validateRefactor } from './refactor-input';
import {
  refactorDetail,
  type RefactorOutput,
  refactorOutputSchema,
  refactorText,
  refactorView,
} from './refactor-output';
import { type RefactorPlan } from './refactor-plan';
import prompt from './refactor.md';
import { rememberChanges, rememberMoves, writeChanges, type WrittenFile } from './write-changes';

const maxBroken = 20;
/** Lines of what the user changed, in all files together. */
const maxUserLines = 200;

export const refactorTool = buildTool<RefactorInput, RefactorOutput>({
  name: 'Refactor',
  seldom: 'renames symbols, moves files with imports, organizes imports, quick fixes, formats',
  bulky: true,
  searchText:
    'refactor rename move file folder path symbol references organize imports quick fix code action format language server lsp',
  prompt: promptOf(prompt),
  inputSchema: refactorInputSchema,
  outputSchema: refactorOutputSchema,
  access: 'WorkspaceWrite',
  isEnabled: (availability) => availability.has('refactorings'),
  targets: ({ filePath: path }, cwd) =>
    path === undefined ? [] : [{ kind: 'file', access: 'write', path: filePath(path, cwd) }],
  furtherFiles: async (input, context) => {
    const plan = await planOf(input, context);
    if (isFailure(plan)) return [];
    const paths = [...(plan.moves ?? []).flatMap(({ from, to }) => [from, to]), ...plan.files.map(({ path }) => path)];
    return [...new Set(paths)].map((path) => ({ kind: 'file', access: 'write', path }) as const);
  },
  describe: sentence,
  validateInput: async (input, { session }) => validateRefactor(input, session),
  preview: async (input, context) => {
    const plan = await planOf(input, context);
    return isFailure(plan) ? plan : previewOf(plan);
  },
  call,
  content: refactorText,
  view: refactorView,
  detail: refactorDetail,
});

function sentence({
  action,
  filePath: path = '',
  symbol = '',
  newName = '',
  from = '',
  to = '',
  id = '',
}: RefactorInput): {
  now: string;
  past: string;
} {
  switch (action) {
    case 'rename':
      return { now: `Renaming ${symbol} to ${newName}`, past: `Renamed ${symbol} to ${newName}` };
    case 'move':
      return { now: `Moving ${from} to ${to}`, past: `Moved ${from} to ${to}` };
    case 'organizeImports':
      return { now: `Organizing the imports of ${path}`, past: `Organized the imports of ${path}` };
    case 'format':
      return { now: `Formatting ${path}`, past: `Formatted ${path}` };
    case 'applyFix':
      return { now: `Applying the fix ${id}`, past: `Applied the fix ${id}` };
  }
}

function previewOf({ title, files, moves = [] }: RefactorPlan): ToolPreview {
  const [first, ...others] = files;
  const textless = moves.filter(({ to }) => !files.some(({ path }) => path === to));
  const view = changesView([
    ...files.map(({ path, base, movedFrom, text }) => ({
      path,
      created: base === undefined,
      movedFrom,
      diff: diffTexts(base?.text ?? '', text),
    })),
    ...textless.map(({ from, to }) => ({ path: to, created: false, movedFrom: from, diff: diffTexts('', '') })),
  ]);
  return {
    title: `${title.charAt(0).toUpperCase()}${title.slice(1)}${extentOf({ files, moves })}`,
    view,
    ...(first === undefined ? {} : { proposal: { ...first, others } }),
  };
}

function extentOf({ files, moves }: Required<Pick<RefactorPlan, 'files' | 'moves'>>): string {
  if (moves.length === 0) return ` in ${counted(files.length, 'file')}`;
  const importing = files.filter(({ base, text }) => base?.text !== text).length;
  const many = moves.length === 1 ? '' : ` (${moves.length} files)`;
  return `${many}${importing === 0 ? '' : `, with imports in ${counted(importing, 'file')}`}`;
}

async function call(input: RefactorInput, context: ToolContext): Promise<ToolResult<RefactorOutput> | ToolFailure> {
  const plan = await planOf(input, context);
  if (isFailure(plan)) return plan;
  const { moves = [] } = plan;
  const all = acceptedOf(plan, context.proposal);
  const accepted = all.filter(({ base, movedFrom, text }) => movedFrom !== undefined || text !== base?.text);
  if (accepted.length + moves.length === 0) return nothingLeft(plan, all);
  const { diagnostics } = context.ports;
  const paths = [...new Set([...moves.map(({ to }) => to), ...accepted.map(({ path }) => path)])];
  const places = new Map(moves.map(({ from, to }) => [from, to]));
  const before = diagnostics.current([...places.keys(), ...paths]);
  // Where a file goes, its problems go; hosts know the list that they gave.
  for (const problem of [...before]) {
    const path = places.get(problem.path);
    if (path !== undefined) before.push({ ...problem, path });
  }
  const written = await writeChanges(accepted, moves, context.proposal?.approved ?? false, context);
  if (isFailure(written)) return written;
  rememberMoves(moves, context.session.readState);
  rememberChanges(written, context.session.readState, plan.renamed !== undefined || plan.moves !== undefined);
  const there = new Set(places.values());
  const problems = await newDiagnostics(paths, before, context, (problem) => isLate(problem, there));
  return { data: outputOf(plan, all, written, problems, context.session.cwd) };
}

/** All files of the proposal, as they were accepted; as the language server made them where nobody was asked. */
function acceptedOf({ files }: RefactorPlan, proposal: AcceptedProposal | undefined): AcceptedProposal[] {
  if (proposal !== undefined) return [proposal, ...(proposal.acceptedOthers ?? [])];
  return files.map((file: FileProposal) => ({
    ...file,
    proposedText: file.text,
    userModified: false,
    approved: false,
  }));
}

function nothingLeft({ title }: RefactorPlan, all: readonly AcceptedProposal[]): ToolFailure {
  const what = `The user undid every change of the proposal before accepting it, so nothing was changed: ${title}.`;
  return { failure: { code: 'nothing-left', message: `${what}\n\n${userChanges(all)}`, stopped: true } };
}

function userChanges(all: readonly AcceptedProposal[]): string {
  const lines = all
    .filter(({ userModified }) => userModified)
    .flatMap((proposal) => [proposal.path, ...changesOfUser(proposal).split('\n').slice(2)]);
  return lines.length <= maxUserLines
    ? lines.join('\n')
    : `${lines.slice(0, maxUserLines).join('\n')}\n… and ${lines.length - maxUserLines} more lines`;
}

function outputOf(
  plan: RefactorPlan,
  all: readonly AcceptedProposal[],
  written: readonly WrittenFile[],
  problems: string[],
  cwd: string,
): RefactorOutput {
  const broken = [...brokenUses(plan, all), ...brokenImports(plan, all)];
  const modified = all.some(({ userModified }) => userModified);
  let room = MAX_PATCH_LINES;
  return {
    title: plan.title,
    cwd,
    files: written.map(({ proposal, file, diff }) => {
      const { hunks } = capHunks(diff.hunks, room);
      room -= hunks.reduce((sum, { lines }) => sum + lines.length, 0);
      const { added, removed } = diff;
      const created = proposal.base === undefined ? { created: true } : {};
      return { filePath: file.path, ...created, structuredPatch: hunks, added, removed, hash: file.hash };
    }),
    ...(plan.moves === undefined ? {} : { moved: plan.moves }),
    userModified: modified,
    ...(modified ? { userChanges: userChanges(all) } : {}),
    broken: broken.slice(0, maxBroken),
    brokenTotal: broken.length,
    notes: [...new Set(written.flatMap(({ notes }) => notes)), ...(plan.notes ?? [])],
    newDiagnostics: problems,
  };
}
