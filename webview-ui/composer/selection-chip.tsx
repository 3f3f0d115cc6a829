// The editor's selection that goes with the message, as a chip that can be hidden.
import { useEffect } from 'preact/hooks';
import { type SelectionChip as Selection } from '../../src/shared/surroundings';
import { IconButton } from '../parts/button';
import { Icon } from '../parts/icon';
import { received } from '../state/chat';
import { focusComposer, hiddenSelection, hideSelection } from '../state/draft';

export interface SelectionChoice {
  selection: Selection | null;
  /** It goes with the message. */
  shown: boolean;
  hide: () => void;
}

/** Hidden stays hidden until something else is selected. */
export function useSelectionChip(): SelectionChoice {
  const hidden = hiddenSelection.value;
  const selection = received.surroundings.value.selection;
  const other = selection !== null && hidden !== null && selection.label !== hidden;
  useEffect(() => {
    if (other) hideSelection(null);
  }, [other]);
  return {
    selection,
    shown: selection !== null && selection.label !== hidden,
    hide: () => {
      hideSelection(selection?.label ?? null);
      focusComposer();
    },
  };
}

export function SelectionChip({ selection, shown, hide }: SelectionChoice) {
  if (!selection || !shown) return null;
  return (
    <span class="chip selection-chip" title={`${selection.label} goes with the message`}>
      <Icon name="list-selection" />
      <Label label={selection.label} />
      <IconButton icon="close" label={`Do not send ${selection.label}`} onClick={hide} />
    </span>
  );
}

/** Where there is no room, the folder gives way first and the name's beginning next: the lines stay. */
function Label({ label }: { label: string }) {
  const { folder, stem, end } = labelParts(label);
  return (
    <span class="selection-label">
      <span class="selection-folder">{folder}</span>
      <span class="selection-stem">{stem}</span>
      <span class="selection-end">{end}</span>
    </span>
  );
}

/** "src/date.ts:12-30" gives "src/", "date", ".ts:12-30". */
export function labelParts(label: string): { folder: string; stem: string; end: string } {
  const [, folder = '', stem = '', end = ''] = /^(.*[/\\])?(.+?)((?:\.[^./\\:]{1,8})?(?::\d+-\d+)?)$/.exec(label) ?? [];
  return { folder, stem, end };
}
