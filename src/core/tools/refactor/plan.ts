// What a refactoring would change: asked of the language server once for each call, so that what is judged, shown and written is the same.
import { applyReplacements } from '../../edits/apply-replacements';
import { type FileProposal } from '../../ports/approver';
import { type LanguageAnswer } from '../../ports/languages';
import { type Path } from '../../ports/path';
import { type FileReplacements, type Refactoring } from '../../ports/refactorings';
import { isInsideAny } from '../../permissions/rules/workspace-path';
import { answerWithin, noAnswer } from '../../tool/answer-within';
import { fail, readFailure } from '../../tool/file-failure';
import { oncePerCall } from '../../tool/once-per-call';
import { isFailure, type ToolContext, type ToolFailure } from '../../tool/tool';
import { words } from '../../text/words';
import { filePath } from '../files/file-path';
import { missingFile } from '../files/file-missing';
import { counted } from '../../../shared/counted';
import { shownPath } from '../grep/glob-root';
import { findSymbol } from './find-symbol';
import { planMove } from './move-plan';
import { type RefactorInput } from './refactor-input';
import { maxBytes, maxFiles, type RefactorPlan, workspaceFolders } from './refactor-plan';

/** Milliseconds: a cold server reads the project first. */
const timeoutMs = 30_000;

export const planOf = oncePerCall(makePlan);

async function makePlan(input: RefactorInput, context: ToolContext): Promise<RefactorPlan | ToolFailure> {
  const { refactorings } = context.ports;
  // Imports are Deft's own work: VS Code tells of them only after a move.
  if (input.action === 'move') return planMove(input, context);
  if (refactorings === undefined)
    return fail(
      'no-editor',
      words`This needs the editor, and this host has none.{{Edit:  Make the changes with Edit.}}`,
    );
  const path = input.filePath === undefined ? undefined : filePath(input.filePath, context.session.cwd);
  if (path !== undefined && context.session.isHidden(path))
    return fail('hidden', `Permission rules hide ${path} from you. Tell the user.`);
  const ask = (
    question: (signal: AbortSignal) => Promise<LanguageAnswer<Refactoring>>,
  ): Promise<Refactoring | ToolFailure> => answered(question, context);
  switch (input.action) {
    case 'rename':
      return rename(input, path ?? '', context);
    case 'organizeImports': {
      const found = await ask((signal) => refactorings.organizeImports(path ?? '', signal));
      return isFailure(found) ? found : planned(`organize the imports of ${nameOf(path)}`, found, context);
    }
    case 'format': {
      const found = await ask((signal) => refactorings.format(path ?? '', signal));
      return isFailure(found) ? found : planned(`format ${nameOf(path)}`, found, context);
    }
    case 'applyFix': {
      const found = await ask((signal) => refactorings.fix(input.id ?? '', signal));
      return isFailure(found) ? found : planned(`apply “${found.title ?? input.id ?? ''}”`, found, context);
    }
  }
}

async function rename(
  { lineContent = '', symbol = '', newName = '' }: RefactorInput,
  path: Path,
  context: ToolContext,
): Promise<RefactorPlan | ToolFailure> {
  const { files, refactorings } = context.ports;
  const read = await files.readText(path, maxBytes);
  if (read.outcome === 'refused')
    return read.code === 'not_found' ? missingFile(path, files, context.session) : readFailure(read);
  const found = findSymbol(read.file.text, lineContent, symbol);
  if ('problem' in found) return fail('symbol-not-found', found.problem);
  const { line, character } = found.place;
  const at = { path, line: line + 1, column: character + 1 };
  const change = await answered(
    async (signal) => (await refactorings?.rename(at, newName, signal)) ?? { outcome: 'none', message: '' },
    context,
  );
  if (isFailure(change)) return change;
  const plan = await planned(`rename ${symbol} to ${newName}`, change, context);
  if (isFailure(plan)) return plan;
  return { ...plan, renamed: { from: symbol, to: newName, declaration: change.declaration ?? at } };
}

async function answered(
  question: (signal: AbortSignal) => Promise<LanguageAnswer<Refactoring>>,
  { signal, ports }: ToolContext,
): Promise<Refactoring | ToolFailure> {
  const answer = await answerWithin(timeoutMs, question, signal, ports.clock);
  if (answer === noAnswer)
    return fail(
      'timeout',
      `The language server did not answer within ${timeoutMs / 1_000} seconds. It may still be starting: try once more later.`,
    );
  if (answer.outcome === 'answer') return answer.value;
  const advice = answer.outcome === 'none' ? words`{{Edit:  Make the changes with Edit instead.}}` : '';
  return fail(answer.outcome === 'none' ? 'no-language-server' : 'refused', words`${answer.message}${advice}`);
}

/** The texts that the edits make of the files as they are now. Whatever may not be changed refuses all of it: half a rename is broken code. */
async function planned(
  title: string,
  { files: changed }: Refactoring,
  context: ToolContext,
): Promise<RefactorPlan | ToolFailure> {
  const { session } = context;
  const outside = changed
    .filter(({ path }) => !isInsideAny(path, workspaceFolders(session), false))
    .map(({ path }) => path);
  if (outside.length > 0)
    return fail(
      'outside-workspace',
      `This would also change files outside the workspace, so nothing was changed: ${listed(outside)}. Tell the user.`,
    );
  const hidden = changed.filter(({ path }) => session.isHidden(path)).length;
  if (hidden > 0)
    return fail(
      'hidden',
      `This would also change ${counted(hidden, 'file')} that permission rules hide from you, so nothing was changed. Tell the user.`,
    );
  if (changed.length > maxFiles)
    return fail(
      'too-many-files',
      `This would change ${changed.length} files; at most ${maxFiles} can be reviewed at once.`,
    );
  const files: FileProposal[] = [];
  for (const one of changed) {
    context.signal.throwIfAborted();
    const proposal = await proposalOf(one, context);
    if (isFailure(proposal)) return proposal;
    if (proposal.text !== proposal.base?.text) files.push(proposal);
  }
  return files.length === 0
    ? fail('nothing-to-change', `There is nothing to change: to ${title} changes no text.`)
    : { title, files };
}

async function proposalOf(
  { path, edits, before, created }: FileReplacements,
  { ports, session }: ToolContext,
): Promise<FileProposal | ToolFailure> {
  if (created === true)
    return (await ports.files.stat(path)) === undefined
      ? { path, base: undefined, text: applyReplacements('', edits) ?? '' }
      : fail('exists', `It would create ${shownPath(path, session.cwd)}, which exists already; nothing was changed.`);
  const read = await ports.files.readText(path, maxBytes);
  if (read.outcome === 'refused') return readFailure(read);
  if (before !== undefined && withPlainEndings(before) !== withPlainEndings(read.file.text))
    return fail(
      'changed',
      `${shownPath(path, session.cwd)} has changed, and the language server has not seen that yet; nothing was changed. Try once more.`,
    );
  const text = applyReplacements(read.file.text, edits);
  if (text === undefined)
    return fail(
      'overlapping',
      `The language server's edits of ${shownPath(path, session.cwd)} overlap; nothing was changed.`,
    );
  return { path, base: read.file, text };
}

function withPlainEndings(text: string): string {
  return text.replace(/\r\n|\r/g, '\n');
}

function nameOf(path: Path | undefined): string {
  return (path ?? '').slice((path ?? '').lastIndexOf('/') + 1);
}

function listed(paths: readonly Path[]): string {
  return paths.length <= 5 ? paths.join(', ') : `${paths.slice(0, 5).join(', ')} and ${paths.length - 5} more`;
}
