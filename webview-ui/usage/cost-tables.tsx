// What the session has cost: in all, by model, turn, agent and tool.
import {
  cacheText,
  dollarText,
  toolNote,
  tokenText,
  usageFacts,
  type ToolUsageRow,
  type UsageReport,
  type UsageRow,
} from '../../src/shared/usage-view';

export function CostTables({ report }: { report: UsageReport }) {
  if (report.total.replies === 0) return <p class="quiet">This session has made no model requests yet.</p>;
  const { olderTurns } = report;
  return (
    <>
      <dl class="usage-facts">
        {usageFacts(report).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <UsageTable title="By model" rows={report.byModel} />
      <UsageTable
        title="By turn"
        rows={report.turns}
        note={olderTurns > 0 ? `${olderTurns} older turns are counted in the total only.` : ''}
      />
      <UsageTable title="Subagents and background requests" rows={report.background} />
      <ToolTable rows={report.tools} />
    </>
  );
}

function UsageTable({ title, rows, note = '' }: { title: string; rows: readonly UsageRow[]; note?: string }) {
  if (rows.length === 0) return null;
  return (
    <table class="usage-table">
      <caption>
        {title}
        {note !== '' && <span class="usage-note">{note}</span>}
      </caption>
      <thead>
        <tr>
          <th scope="col">{title === 'By turn' ? 'Turn' : 'Name'}</th>
          <th scope="col">Read</th>
          <th scope="col">Cached</th>
          <th scope="col" class="usage-spare">
            Written
          </th>
          <th scope="col">Cost</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            <th scope="row" title={row.name}>
              <span class="usage-name">{row.name}</span>
            </th>
            <td>{tokenText(row.plain + row.cacheRead + row.cacheWritten)}</td>
            <td>{cacheText(row)}</td>
            <td class="usage-spare">{tokenText(row.output)}</td>
            <td>{dollarText(row)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ToolTable({ rows }: { rows: readonly ToolUsageRow[] }) {
  if (rows.length === 0) return null;
  return (
    <table class="usage-table">
      <caption>
        Tool results
        <span class="usage-note">{toolNote}</span>
      </caption>
      <thead>
        <tr>
          <th scope="col">Tool</th>
          <th scope="col">Calls</th>
          <th scope="col">Tokens</th>
          <th scope="col">Cost</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name}>
            <th scope="row" title={row.name}>
              <span class="usage-name">{row.name}</span>
            </th>
            <td>{row.calls}</td>
            <td>{tokenText(row.tokens)}</td>
            <td>{dollarText(row)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
