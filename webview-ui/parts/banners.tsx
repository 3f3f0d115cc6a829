// Lines above the conversation that say under which circumstances Deft works.
import { post } from '../host/vscode-api';
import { chat, received } from '../state/chat';
import { TextLink } from './file-link';
import { Icon } from './icon';

export function Banners() {
  const { demo, trusted } = received.surroundings.value;
  const { external } = chat.facts.value;
  return (
    <>
      {external && (
        <div class="banner" role="note">
          <Icon name="lock" />
          <span>
            This is a session of {external.name}, shown read-only. {external.note}
          </span>
        </div>
      )}
      {demo && (
        <div class="banner" role="note">
          <Icon name="beaker" />
          <span>
            Demo: a scripted model answers, not a real one.{' '}
            <TextLink
              title="Enter an API key to use a real model"
              onOpen={() => post({ type: 'command', command: 'setApiKey' })}
            >
              Use a real model
            </TextLink>
          </span>
        </div>
      )}
      {!trusted && (
        <div class="banner" role="note">
          <Icon name="workspace-untrusted" />
          <span>
            Restricted Mode: Deft can read and answer. Nothing is written or run until you trust this workspace.
          </span>
        </div>
      )}
    </>
  );
}
