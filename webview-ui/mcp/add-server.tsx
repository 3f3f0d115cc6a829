// The form for a new server: its name, how it is reached, and for whom it is written down.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type NewMcpServer } from '../../src/shared/mcp-view';
import { Button } from '../parts/button';
import { addProblem, adding, addServer } from './servers';

const scopes: readonly { scope: NewMcpServer['scope']; label: string; detail: string }[] = [
  { scope: 'local', label: 'You, in this project', detail: 'In ~/.claude.json, which Claude Code reads too.' },
  {
    scope: 'project',
    label: 'Everybody in this project',
    detail: 'In .mcp.json, which can be committed. Others approve it first.',
  },
  { scope: 'user', label: 'You, everywhere', detail: 'In ~/.claude.json, for all projects.' },
];

export function AddServer() {
  const [server, setServer] = useState<NewMcpServer>({ name: '', kind: 'command', target: '', scope: 'local' });
  const first = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => first.current?.focus(), []);
  const change = (part: Partial<NewMcpServer>) => {
    addProblem.value = '';
    setServer({ ...server, ...part });
  };
  const add = () => void addServer(server);
  const cancel = () => (adding.value = false);
  const isUrl = server.kind === 'url';
  return (
    <form
      class="server-form"
      aria-label="Add server"
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
      onKeyDown={(event) => {
        if (event.isComposing || event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        cancel();
      }}
    >
      <label class="field">
        <span>Name</span>
        <input
          class="input"
          type="text"
          ref={first}
          maxLength={64}
          placeholder="github"
          value={server.name}
          onInput={(event) => change({ name: event.currentTarget.value })}
        />
      </label>
      <div class="field" role="radiogroup" aria-label="Kind">
        <Radio
          name="server-kind"
          label="Command"
          detail="A program on this machine."
          checked={!isUrl}
          onChoose={() => change({ kind: 'command' })}
        />
        <Radio
          name="server-kind"
          label="URL"
          detail="A remote server (HTTP)."
          checked={isUrl}
          onChoose={() => change({ kind: 'url' })}
        />
      </div>
      <label class="field">
        <span>{isUrl ? 'URL' : 'Command line'}</span>
        <input
          class="input"
          type="text"
          spellcheck={false}
          placeholder={isUrl ? 'https://example.com/mcp' : 'npx -y @modelcontextprotocol/server-everything'}
          value={server.target}
          onInput={(event) => change({ target: event.currentTarget.value })}
        />
      </label>
      <div class="field" role="radiogroup" aria-label="Scope">
        {scopes.map(({ scope, label, detail }) => (
          <Radio
            key={scope}
            name="server-scope"
            label={label}
            detail={detail}
            checked={server.scope === scope}
            onChoose={() => change({ scope })}
          />
        ))}
      </div>
      {addProblem.value !== '' && (
        <div class="field-problem" role="alert">
          {addProblem.value}
        </div>
      )}
      <div class="buttons">
        <Button kind="primary" label="Add" title="Add the server (Enter)" onClick={add} />
        <Button label="Cancel" title="Cancel (Esc)" onClick={cancel} />
      </div>
    </form>
  );
}

interface RadioProps {
  name: string;
  label: string;
  detail: string;
  checked: boolean;
  onChoose: () => void;
}

function Radio({ name, label, detail, checked, onChoose }: RadioProps) {
  const id = `${name}-${label.replace(/\W/g, '')}`;
  return (
    <label class="choice">
      <input type="radio" name={name} checked={checked} aria-label={label} aria-describedby={id} onChange={onChoose} />
      <span class="choice-text">
        <span>{label}</span>
        <span class="choice-detail" id={id}>
          {detail}
        </span>
      </span>
    </label>
  );
}
