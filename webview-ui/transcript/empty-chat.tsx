// The chat before the first message: what to try, and the set-up where there is no model yet.
import type { MessageInput } from '../../src/shared/protocol';
import { insertIntoComposer } from '../state/draft';
import { post } from '../host/vscode-api';
import { Button } from '../parts/button';
import { Icon } from '../parts/icon';
import { received } from '../state/chat';

type Command = MessageInput<'command'>['command'];

export function EmptyChat() {
  const { needsSetup, suggestions } = received.surroundings.value;
  return <div class="empty">{needsSetup ? <SetUp /> : <Suggestions suggestions={suggestions} />}</div>;
}

function Suggestions({ suggestions }: { suggestions: readonly string[] }) {
  return (
    <section aria-labelledby="empty-title">
      <h2 class="empty-title" id="empty-title">
        What should Deft do?
      </h2>
      <p class="quiet">
        It reads, edits and runs things in this workspace. Every edit is a diff you can change, every command runs in a
        terminal you can see.
      </p>
      {suggestions.length > 0 && (
        <ul class="suggestions" aria-label="Things to try">
          {suggestions.map((suggestion) => (
            <li key={suggestion}>
              <button
                type="button"
                class="suggestion"
                title="Use this as your message"
                onClick={() => insertIntoComposer(suggestion)}
              >
                <Icon name="lightbulb" />
                <span>{suggestion}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function SetUp() {
  const { setUp } = received.surroundings.value;
  const vscode = setUp?.vscodeModels === true;
  const run = (command: Command) => () => post({ type: 'command', command });
  return (
    <section aria-labelledby="empty-title">
      <h2 class="empty-title" id="empty-title">
        Connect Deft to a model
      </h2>
      {setUp?.provider === 'vscode' && (
        <p>
          VS Code offers no model now. Sign in to the extension that provides its models, such as Copilot, or choose
          something else.
        </p>
      )}
      <p class="quiet">
        A key is kept in VS Code's secret storage. Commands that Deft runs never see it.
        {vscode && " VS Code's models need no key: they use your plan with their vendor."}
      </p>
      <div class="choices">
        <Button kind="primary" label="Enter an API key" onClick={run('setApiKey')} />
        <Button
          label="Use another provider or base URL"
          title="Bedrock, Vertex, Foundry, a gateway or a local server"
          onClick={run('selectProvider')}
        />
        {vscode && (
          <Button
            label="Use VS Code's models"
            title="Models from Copilot or another extension; no API key needed"
            onClick={run('useVscodeModels')}
          />
        )}
        <Button
          label="Try the demo"
          title="A scripted model on a sample workspace, offline"
          onClick={run('startDemo')}
        />
      </div>
      <p class="quiet">
        The demo is a scripted model, not a real one. It works offline, with real tools on a small sample workspace.
      </p>
      <button type="button" class="link-button" title="A step-by-step tour of Deft" onClick={run('openWalkthrough')}>
        Open the walkthrough
      </button>
    </section>
  );
}
