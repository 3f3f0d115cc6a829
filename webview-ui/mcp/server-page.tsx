// The MCP servers of this window: how each stands, what it offers, and what can be done with it.
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Button, IconButton } from '../parts/button';
import { Icon } from '../parts/icon';
import { AddServer } from './add-server';
import { addProblem, adding, closeServers, listServers, servers } from './servers';
import { ServerEntry } from './server-entry';

export function ServerManager() {
  const listed = servers.value;
  const add = useRef<HTMLButtonElement>(null);
  const wasAdding = useRef(false);
  useEffect(() => {
    void listServers();
    add.current?.focus();
  }, []);
  useLayoutEffect(() => {
    // The form is gone, and with it what had the focus.
    if (wasAdding.current && !adding.value) add.current?.focus();
    wasAdding.current = adding.value;
  }, [adding.value]);

  const rows = listed?.servers ?? [];
  const waiting = rows.filter(({ state }) => state === 'unapproved').length;
  return (
    <main class="page" aria-label="MCP servers">
      <div class="history-head">
        <IconButton
          icon="arrow-left"
          label="Back to the conversation"
          title="Back to the conversation (Esc)"
          onClick={closeServers}
        />
        <h1 class="history-title">MCP servers</h1>
        <Button
          kind="quiet"
          icon="add"
          label="Add server"
          buttonRef={add}
          disabled={adding.value}
          onClick={() => {
            addProblem.value = '';
            adding.value = true;
          }}
        />
      </div>
      <div class="servers-list">
        {adding.value && <AddServer />}
        {listed === undefined && <p class="quiet">Loading…</p>}
        {listed !== undefined && rows.length === 0 && !adding.value && (
          <p class="quiet">No servers yet. A server gives Deft more tools: add one here, or name it in .mcp.json.</p>
        )}
        {waiting > 0 && (
          <p role="status">
            {waiting === 1 ? '1 server of this project waits' : `${waiting} servers of this project wait`} for your
            approval. Review what would be started first.
          </p>
        )}
        {(listed?.problems ?? []).map((problem) => (
          <div class="notice notice-warning" role="group" aria-label="Problem in a configuration file" key={problem}>
            <Icon name="warning" class="notice-icon" />
            <div class="notice-text">{problem}</div>
          </div>
        ))}
        {rows.map((row) => (
          <ServerEntry key={`${row.scope}:${row.name}`} row={row} />
        ))}
      </div>
    </main>
  );
}
