// Writes what was accepted of a change of many files: all of it or nothing, as far as the disk allows.
import { diffTexts, type TextDiff } from '../../edits/diff-hunks';
import { countLines } from '../../edits/text-lines';
import { type TextFile } from '../../ports/files';
import { type ReadState } from '../../sessions/read-state';
import { allBut, movedUnseen, noLines } from '../../sessions/unseen-lines';
import { changedFailure, fail, writeFailure } from '../../tool/file-failure';
import { type AcceptedProposal, isFailure, type ToolContext, type ToolFailure } from '../../tool/tool';
import { keepingChanges } from '../edit/file-change';
import { said } from '../../text/words';
import { counted } from '../../../shared/counted';
import { maxBytes, type MovedFile } from './refactor-plan';

export interface WrittenFile {
  proposal: AcceptedProposal;
  file: TextFile;
  diff: TextDiff;
  notes: string[];
}

/** Files move before their texts change; `approved`: the user has seen it. */
export async function writeChanges(
  accepted: readonly AcceptedProposal[],
  moves: readonly MovedFile[],
  approved: boolean,
  context: ToolContext,
): Promise<WrittenFile[] | ToolFailure> {
  const modified = accepted.find(({ userModified }) => userModified);
  const changed = await changedMeanwhile(accepted, context);
  if (changed !== undefined) return keepingChanges(changed, modified);
  const done: Done = { moved: [], written: [] };
  for (const step of [...moves, ...accepted.filter(({ base, text }) => text !== base?.text)]) {
    const outcome = context.signal.aborted
      ? interrupted
      : 'from' in step
        ? await move(step, approved, context)
        : await write(step, context);
    if (isFailure(outcome)) return keepingChanges(await takenBack(done, outcome, context), modified);
    if ('from' in outcome) done.moved.push(outcome);
    else done.written.push(outcome);
  }
  return done.written;
}

interface Done {
  moved: MovedFile[];
  written: WrittenFile[];
}

async function move(step: MovedFile, approved: boolean, { ports }: ToolContext): Promise<MovedFile | ToolFailure> {
  const outcome = await ports.files.move?.({ ...step, approved });
  return outcome?.outcome === 'refused' ? writeFailure(outcome) : step;
}

const interrupted = fail('interrupted', 'The user stopped it.');

/** Looked at before anything is written. */
async function changedMeanwhile(
  accepted: readonly AcceptedProposal[],
  { ports }: ToolContext,
): Promise<ToolFailure | undefined> {
  for (const { path, base, movedFrom = path } of accepted) {
    const read = await ports.files.readText(movedFrom, maxBytes);
    const current = read.outcome === 'read' ? read.file : undefined;
    if (current?.hash !== base?.hash) return changedFailure(movedFrom, base, { current });
  }
  return undefined;
}

async function write(proposal: AcceptedProposal, { ports }: ToolContext): Promise<WrittenFile | ToolFailure> {
  const { path, base, text, approved } = proposal;
  const outcome = await ports.files.writeText({ path, base, text, approved });
  switch (outcome.outcome) {
    case 'written':
      return {
        proposal,
        file: outcome.file,
        diff: diffTexts(base?.text ?? '', outcome.file.text),
        notes: outcome.notes,
      };
    case 'changed':
      return changedFailure(path, base, outcome);
    case 'refused':
      return writeFailure(outcome);
  }
}

/** Half a rename is broken code: what was written before the fault goes back to what it was. */
async function takenBack(
  { moved, written }: Done,
  { failure }: ToolFailure,
  { ports, session }: ToolContext,
): Promise<ToolFailure> {
  const left: string[] = [];
  for (const { proposal, file } of written) {
    const { path, base } = proposal;
    // Nothing deletes a file here.
    const outcome = base && (await ports.files.writeText({ path, base: file, text: base.text, approved: true }));
    if (outcome?.outcome !== 'written') left.push(path);
  }
  const back = written.length - left.length;
  for (const { from, to } of moved.toReversed()) {
    const outcome = await ports.files.move?.({ from: to, to: from, approved: true });
    if (outcome?.outcome !== 'moved' && !left.includes(to)) left.push(to);
  }
  const words = [
    said(failure.message, session.offers),
    ...(back > 0
      ? [`${counted(back, 'file')} that had been written before ${back === 1 ? 'is' : 'are'} as before again.`]
      : []),
    ...(left.length > 0 ? [`These keep their part of the change, and could not be put back: ${left.join(', ')}.`] : []),
  ];
  return { failure: { ...failure, message: words.join(' ') } };
}

/** Files that the model has read stay read, where they are now. */
export function rememberMoves(moves: readonly MovedFile[], readState: ReadState): void {
  for (const { from, to } of moves) {
    const entry = readState.get(from);
    if (entry === undefined) continue;
    readState.set(to, entry);
    readState.forget(from);
  }
}

/** Files that the model has read stay read. `foreseen`: it knows the new lines without seeing them. */
export function rememberChanges(written: readonly WrittenFile[], readState: ReadState, foreseen: boolean): void {
  for (const { proposal, file, diff } of written) {
    const { path, base } = proposal;
    const before = readState.get(path);
    if (before === undefined) continue;
    const changed = diff.hunks.map(({ newStart, newLines }) => ({ start: newStart, end: newStart + newLines - 1 }));
    const unseen =
      before.hash === base?.hash
        ? [...movedUnseen(before.unseen ?? [], diff.hunks), ...(foreseen ? [] : changed)]
        : allBut([], countLines(file.text));
    readState.set(path, { hash: file.hash, range: noLines, ...(unseen.length > 0 ? { unseen } : {}) });
  }
}
