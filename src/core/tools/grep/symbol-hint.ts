// Tells the model once that a symbol it searched for as text has uses that the language server knows.
import { type GrepFound } from '../../ports/search';
import { isFirstTime } from '../../tool/said-once';
import { type ToolContext } from '../../tool/tool';
import { offeredText } from '../../text/words';

/** A name as code writes it, alone or between word boundaries: two words joined in one, so that no plain word counts. */
const symbol = /^(?:\\b)?([A-Za-z_$]*(?:[a-z\d][A-Z]|[A-Za-z\d]_[A-Za-z\d])[\w$]*)(?:\\b)?(?:\\\()?$/;

/** Only where it is found in several files, and Refactor is offered. */
export function symbolHint(
  pattern: string,
  found: GrepFound,
  { session, ports }: Pick<ToolContext, 'session' | 'ports'>,
): string | undefined {
  const name = symbol.exec(pattern)?.[1];
  const offers = session.offers;
  if (name === undefined || ports.refactorings === undefined) return undefined;
  if (offers?.('Refactor') !== true || filesIn(found) < 2) return undefined;
  if (!isFirstTime(session, 'symbol-hint')) return undefined;
  return offeredText(
    `{{Refactor: To rename ${name} everywhere, Refactor needs one call.}}{{LSP:  LSP lists its uses without those that only look like it.}}`,
    offers,
  );
}

function filesIn(found: GrepFound): number {
  switch (found.outcome) {
    case 'files':
      return found.paths.length;
    case 'counts':
      return found.counts.length;
    case 'content':
      return new Set(found.lines.flatMap((line) => (line === 'separator' ? [] : line.path))).size;
  }
}
