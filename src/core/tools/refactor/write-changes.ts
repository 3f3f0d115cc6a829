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
import { counted } from '../grep/glob-root';

export interface WrittenFile {
  proposal: AcceptedProposal;
  file: TextFile;
  diff: TextDiff;
  notes: string[];
}

const maxBytes = 5 * 1024 * 1024;

export async function writeChanges(
  accepted: readonly AcceptedProposal[],
  context: ToolContext,
): Promise<WrittenFile[] | ToolFailure> {
  const modified = accepted.find(({ userModified }) => userModified);
  const changed = await changedMeanwhile(accepted, context);
  if (changed !== undefined) return keepingChanges(changed, modified);
  const written: WrittenFile[] = [];
  for (const proposal of accepted) {
    const outcome = context.signal.aborted ? interrupted : await write(proposal, context);
    if (!isFailure(outcome)) {
      written.push(outcome);
      continue;
    }
    return keepingChanges(await takenBack(written, outcome, context), modified);
  }
  return written;
}

const interrupted = fail('interrupted', 'The user stopped it.');

/** Looked at before anything is written. */
async function changedMeanwhile(
  accepted: readonly AcceptedProposal[],
  { ports }: ToolContext,
): Promise<ToolFailure | undefined> {
  for (const { path, base } of accepted) {
    const read = await ports.files.readText(path, maxBytes);
    const current = read.outcome === 'read' ? read.file : undefined;
    if (current?.hash !== base?.hash) return changedFailure(path, base, { current });
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
  written: readonly WrittenFile[],
  { failure }: ToolFailure,
  { ports, session }: ToolContext,
): Promise<ToolFailure> {
  const left: string[] = [];
  for (const { proposal, file } of written) {
    const { path, base } = proposal;
    const outcome = await ports.files.writeText({ path, base: file, text: base?.text ?? '', approved: true });
    if (outcome.outcome !== 'written') left.push(path);
  }
  const back = written.length - left.length;
  const words = [
    said(failure.message, session.offers),
    ...(back > 0
      ? [`${counted(back, 'file')} that had been written before ${back === 1 ? 'is' : 'are'} as before again.`]
      : []),
    ...(left.length > 0 ? [`These keep their part of the change, and could not be put back: ${left.join(', ')}.`] : []),
  ];
  return { failure: { ...failure, message: words.join(' ') } };
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
