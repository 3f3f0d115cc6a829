// One server: a line that opens, its buttons, and below it what was written, its tools and its log.
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { type McpAction, type McpServerRow } from '../../src/shared/mcp-view';
import { changeServer } from './servers';
import { Button } from '../parts/button';
import { Twistie, useDisclosure } from '../parts/disclosure';
import { Icon } from '../parts/icon';
import { announce } from '../state/announce';

const icons: Readonly<Record<McpServerRow['state'], string>> = {
  disabled: 'circle-slash',
  unapproved: 'question',
  connecting: 'loading',
  connected: 'pass',
  reconnecting: 'loading',
  'needs-sign-in': 'key',
  failed: 'error',
};

const labels: Readonly<Record<McpAction, string>> = {
  reconnect: 'Reconnect',
  signIn: 'Sign in',
  signOut: 'Sign out',
  enable: 'Enable',
  disable: 'Disable',
  approve: 'Approve',
  remove: 'Remove…',
  open: 'Open file',
};

const primary: readonly McpAction[] = ['approve', 'signIn', 'enable'];

export function ServerEntry({ row }: { row: McpServerRow }) {
  const { name, state } = row;
  const waits = state === 'unapproved';
  const [open, toggle] = useDisclosure(`server ${name}`, waits);
  const entry = useRef<HTMLDivElement>(null);
  const lastState = useRef(row.stateText);
  const hadFocus = useRef(false);
  useEffect(() => {
    if (lastState.current !== row.stateText) announce(`${name}: ${row.stateText}`);
    lastState.current = row.stateText;
  }, [row.stateText]);
  // A button that its own press takes away leaves the focus with the server.
  useLayoutEffect(() => {
    if (hadFocus.current && document.activeElement === document.body)
      entry.current?.querySelector<HTMLElement>('.twistie')?.focus();
    hadFocus.current = entry.current?.contains(document.activeElement) === true;
  });
  const act = (action: McpAction) => {
    hadFocus.current = true;
    void changeServer({ server: name, seen: row.fingerprint, action });
  };
  const id = `server-${row.fingerprint}`;
  const tools = row.tools.length === 1 ? '1 tool' : `${row.tools.length} tools`;
  return (
    <div class={`server server-${state}`} ref={entry} role="group" aria-label={`Server ${name}`}>
      <div class="server-head">
        <Twistie open={open} onToggle={toggle} label={`Details of ${name}`} controls={id} />
        <Icon name={icons[state]} class="server-icon" spin={icons[state] === 'loading'} />
        <span class="server-name">{name}</span>
        {state === 'connected' && <span class="quiet">{tools}</span>}
      </div>
      <div class="server-facts">
        <div class="server-state">{row.stateText}</div>
        <div class="quiet">
          {row.scope}
          {row.file !== undefined && ` · ${row.file}`}
        </div>
        {(waits || open) && <Written row={row} />}
        <div class="buttons">
          {row.actions.map((action) => (
            <Button
              key={action}
              kind={primary.includes(action) ? 'primary' : 'secondary'}
              label={labels[action]}
              title={`${labels[action]}: ${name}`}
              onClick={() => act(action)}
            />
          ))}
        </div>
        {open && <Details row={row} id={id} />}
      </div>
    </div>
  );
}

/** All that the user agrees to. */
function Written({ row }: { row: McpServerRow }) {
  return (
    <dl class="server-written">
      <dt>{row.kind === 'command' ? 'Command' : 'URL'}</dt>
      <dd>
        <code>{row.target}</code>
      </dd>
      {row.env.length > 0 && (
        <>
          <dt>Environment</dt>
          {row.env.map((variable) => (
            <dd key={variable}>
              <code>{variable}</code>
            </dd>
          ))}
        </>
      )}
      {row.headers.length > 0 && (
        <>
          <dt>Headers</dt>
          <dd>
            <code>{row.headers.join(', ')}</code>
          </dd>
        </>
      )}
    </dl>
  );
}

function Details({ row, id }: { row: McpServerRow; id: string }) {
  const { tools, prompts, resources, instructions, log } = row;
  const also = [...(resources > 0 ? [`${resources} resources`] : []), ...(prompts > 0 ? [`${prompts} prompts`] : [])];
  return (
    <div class="server-details" id={id}>
      {also.length > 0 && <p class="quiet">Also offers {also.join(' and ')}.</p>}
      {instructions !== undefined && <p class="quiet">{instructions}</p>}
      {tools.length > 0 && (
        <>
          <h2 class="server-part">Tools</h2>
          <ul aria-label={`Tools of ${row.name}`}>
            {tools.map(({ name, description }) => (
              <li class="server-tool" key={name}>
                <span>{name}</span>
                <span class="quiet"> {description}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {log.length > 0 && (
        <>
          <h2 class="server-part">Log</h2>
          <pre class="server-log" tabIndex={0} role="region" aria-label={`Log of ${row.name}`}>
            {log.join('\n')}
          </pre>
        </>
      )}
    </div>
  );
}
