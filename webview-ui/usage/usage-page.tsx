// What the session has cost and what fills the model's window: two parts of one page.
import { useEffect, useRef } from 'preact/hooks';
import { contextText, usageText } from '../../src/shared/usage-view';
import { IconButton } from '../parts/button';
import { CopyButton } from '../parts/copy-button';
import { announce } from '../state/announce';
import { ContextTable } from './context-table';
import { closeUsage, part, answer } from './usage';
import { CostTables } from './cost-tables';

const parts = [
  { id: 'cost', label: 'Cost', title: 'What the session has cost' },
  { id: 'context', label: 'Context', title: "What fills the model's window" },
] as const;

export function UsagePage() {
  const report = answer.value;
  const shown = part.value;
  const first = useRef<HTMLDivElement>(null);
  useEffect(() => {
    first.current?.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus();
  }, [shown]);
  useEffect(() => {
    if (report !== undefined) announce(`Usage of this session: ${shown === 'cost' ? 'cost' : 'context'}`);
  }, [report === undefined]);
  return (
    <main class="page usage" aria-label="Usage of this session">
      <div class="history-head">
        <IconButton
          icon="arrow-left"
          label="Back to the conversation"
          title="Back to the conversation (Esc)"
          onClick={closeUsage}
        />
        <h1 class="history-title">Usage of this session</h1>
        {report !== undefined && (
          <CopyButton
            label="Copy as text"
            text={() => (part.peek() === 'cost' ? usageText(report.usage) : contextText(report.context))}
          />
        )}
      </div>
      <div class="usage-parts" role="group" aria-label="What is shown" ref={first}>
        {parts.map(({ id, label, title }) => (
          <button
            type="button"
            key={id}
            class="button button-quiet"
            aria-pressed={shown === id}
            title={title}
            onClick={() => (part.value = id)}
          >
            {label}
          </button>
        ))}
      </div>
      <div class="servers-list" tabIndex={0} role="region" aria-label={shown === 'cost' ? 'Cost' : 'Context'}>
        {report === undefined ? (
          <p class="quiet">Loading…</p>
        ) : shown === 'cost' ? (
          <CostTables report={report.usage} />
        ) : (
          <ContextTable report={report.context} />
        )}
      </div>
    </main>
  );
}
