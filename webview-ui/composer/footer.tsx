// The line below the textbox: what goes along, mode, model, meters, Send and Stop.
import { stopTurn } from '../approvals/dropped';
import { post } from '../host/vscode-api';
import { IconButton } from '../parts/button';
import { Icon } from '../parts/icon';
import { chat, modifierName, received, working } from '../state/chat';
import { draft, images } from '../state/draft';
import { forgetProblems } from '../state/taking';
import { Meters } from './meters';
import { ModeMenu } from './mode-menu';
import { TreeChip } from './tree-chip';
import { SelectionChip, type SelectionChoice } from './selection-chip';

export function Footer({ onSend, selection }: { onSend: () => void; selection: SelectionChoice }) {
  const { modelLabel, sendWith } = received.surroundings.value;
  const model = modelLabel || chat.facts.value.model || 'none';
  const isWorking = working.value;
  const isEmpty = draft.value.trim() === '' && images.value.length === 0;
  const sendKey = sendWith === 'enter' ? 'Enter' : `${modifierName()}+Enter`;
  return (
    <div class="footer">
      <div class="footer-start">
        <IconButton
          icon="attach"
          label="Attach"
          title="Attach files (or type @, or hold Shift to drop files)"
          onClick={() => {
            forgetProblems();
            post({ type: 'attach' });
          }}
        />
        <SelectionChip {...selection} />
        <TreeChip />
        <ModeMenu />
        <button
          type="button"
          class="pill pill-model"
          aria-label={`Model: ${model}`}
          title={`Model: ${model}. Choose another`}
          onClick={() => post({ type: 'pickModel' })}
        >
          <span class="pill-label">{model}</span>
          <Icon name="chevron-down" class="pill-arrow" />
        </button>
      </div>
      <div class="footer-end">
        <Meters />
        {isWorking && <IconButton class="stop" icon="debug-stop" label="Stop" title="Stop (Esc)" onClick={stopTurn} />}
        {(!isWorking || !isEmpty) && (
          <IconButton
            class="send"
            icon="arrow-up"
            label="Send"
            title={isWorking ? `Queue for Deft (${sendKey})` : `Send (${sendKey})`}
            disabled={isEmpty}
            onClick={onSend}
          />
        )}
      </div>
    </div>
  );
}
