// What an exported session has of each turn's ledger: a folded list behind the turn, and a footnote on each claim that the log does not bear.
import { escapedHtml, escapedMarkdown } from '../text/escaped-markdown';
import { type LedgerClaim, hasChanged, type Ledger, mapLedger } from '../../shared/ledger';
import { ledgerLine, ledgerRows } from '../../shared/ledger-words';
import { createLedgerFold } from '../ledger/ledger-fold';
import { type AssistantRecord, type SessionRecord } from '../ports/record';
import { namedFolders, shortPaths } from '../text/short-paths';

export interface ExportProof {
  /** The texts that are marked next are of this record. */
  begins(record: AssistantRecord): void;
  /** The text of its block with this index, with the numbers of its notes. */
  marked(index: number, text: string): string;
  /** The ledger of the turn that this record ends; empty for none. */
  after(turnEnd: string): string;
  /** All footnotes. */
  notes(): string[];
}

export function createExportProof(records: readonly SessionRecord[]): ExportProof {
  const { claims, ledgers } = provedBy(records);
  const notes: string[] = [];
  const blocks = new Map<string, number>();
  let current = { id: '', from: 0 };
  return {
    begins({ message: { id, content } }) {
      const from = blocks.get(id) ?? 0;
      blocks.set(id, from + content.length);
      current = { id, from };
    },
    marked(index, text) {
      let marked = text;
      for (const { text: quote, reason } of claims.get(`${current.id}:${current.from + index}`) ?? []) {
        if (!marked.includes(quote)) continue;
        const name = `proof-${notes.length + 1}`;
        notes.push(`[^${name}]: The session does not bear this out. ${escapedMarkdown(reason)}`);
        marked = marked.replace(quote, () => `${quote}[^${name}]`);
      }
      return marked;
    },
    after(turnEnd) {
      const ledger = ledgers.get(turnEnd);
      return ledger === undefined ? '' : listOf(ledger);
    },
    notes: () => (notes.length === 0 ? [] : [notes.join('\n')]),
  };
}

/** Claims by `message id:block`, ledgers by the record that ends their turn. */
function provedBy(records: readonly SessionRecord[]): {
  claims: Map<string, readonly LedgerClaim[]>;
  ledgers: Map<string, Ledger>;
} {
  const fold = createLedgerFold();
  const claims = new Map<string, readonly LedgerClaim[]>();
  const ledgers = new Map<string, Ledger>();
  const first = records.find((record) => !('raw' in record) && record.cwd !== '');
  const folders = first === undefined || 'raw' in first ? [] : namedFolders([first.cwd]);
  const shorten = (text: string): string => shortPaths(text, folders);
  let last: { turn: number; end: string } | undefined;
  for (const record of records) {
    for (const { messageId, index, claims: found } of fold.add(record))
      claims.set(
        `${messageId}:${index}`,
        found.map((claim) => ({ ...claim, reason: shorten(claim.reason) })),
      );
    if ('raw' in record || record.type !== 'system') continue;
    if (record.subtype === 'turn_end') {
      for (const { messageId, index, claims: left } of fold.settle()) claims.set(`${messageId}:${index}`, left);
      // One for each prompt, behind the end of all that it led to.
      if (last?.turn === fold.turn) ledgers.delete(last.end);
      last = { turn: fold.turn, end: record.uuid };
    }
    const isNews = ['turn_end', 'user_call', 'background_end'].includes(record.subtype);
    if (!isNews || last?.turn !== fold.turn || !fold.isOver) continue;
    const ledger = fold.ledger();
    if (hasChanged(ledger)) ledgers.set(last.end, mapLedger(ledger, shorten));
  }
  return { claims, ledgers };
}

function listOf(ledger: Ledger): string {
  const rows = ledgerRows(ledger).map((row) => `- ${escapedMarkdown(row)}`);
  return [
    '<details>',
    `<summary>Proof: ${escapedHtml(ledgerLine(ledger))}</summary>`,
    '',
    ...rows,
    '',
    '</details>',
  ].join('\n');
}
