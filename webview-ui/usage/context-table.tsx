// What fills the model's window: a bar a kind, what is free, and what would free room.
import { percentText, type ContextReport } from '../../src/shared/usage-view';
import { post } from '../host/vscode-api';
import { Button } from '../parts/button';
import { working } from '../state/chat';
import { closeUsage, countContext, counting, fullText, howCounted } from './usage';

export function ContextTable({ report }: { report: ContextReport }) {
  const { window, parts, used, compactsAt, counted } = report;
  const free = Math.max(0, window - used);
  const busy = counting.value;
  return (
    <>
      <p>
        {fullText(report)} <span class="quiet">{busy ? 'The API counts…' : howCounted[counted]}</span>
      </p>
      <table class="usage-table">
        <caption>What the next request contains</caption>
        <thead>
          <tr>
            <th scope="col">Kind</th>
            <th scope="col">Tokens</th>
            <th scope="col">Share</th>
          </tr>
        </thead>
        <tbody>
          {[...parts, { name: 'Free', tokens: free }].map(({ name, tokens }) => (
            <tr key={name} class={name === 'Free' ? 'usage-free' : ''}>
              <th scope="row">
                {name}
                <span class="usage-bar" aria-hidden="true">
                  <span style={{ width: `${Math.min(100, window === 0 ? 0 : (tokens / window) * 100)}%` }} />
                </span>
              </th>
              <td>{tokens.toLocaleString()}</td>
              <td>{percentText(tokens, window)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="quiet">
        {compactsAt === null
          ? 'Automatic compaction is switched off.'
          : `The conversation is compacted at about ${compactsAt.toLocaleString()} tokens.`}{' '}
        A compaction replaces the messages with a summary. Switching off a server removes its tools.
      </p>
      <div class="buttons">
        <Button
          label="Compact"
          title="Replace the conversation so far with a summary"
          disabled={working.value || used === 0}
          onClick={() => {
            closeUsage();
            post({ type: 'compact' });
          }}
        />
        {counted !== 'cannot' && (
          <Button
            kind="quiet"
            label="Count exactly"
            title="Let the API count, free of charge"
            busy={busy}
            onClick={countContext}
          />
        )}
      </div>
    </>
  );
}
