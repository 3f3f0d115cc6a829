// The worktree that the session works in, as a chip: its branch, and how far it and the checkout have moved apart.
import { type WorktreeChip } from '../../src/shared/surroundings';
import { counted } from '../../src/shared/counted';
import { post } from '../host/vscode-api';
import { Icon } from '../parts/icon';
import { received } from '../state/chat';

export function TreeChip() {
  const { worktree } = received.surroundings.value;
  if (worktree === undefined) return null;
  const { branch, state } = worktree;
  const words = stateWords(worktree);
  return (
    <button
      type="button"
      class="pill pill-tree"
      aria-label={`Worktree: ${branch}, ${words}`}
      title={`Works in a worktree of its own, ${worktree.path}: ${words}`}
      onClick={() => post({ type: 'command', command: 'worktreeActions' })}
    >
      <Icon name="git-branch" />
      <span class="pill-label">{branch}</span>
      {state !== undefined && (
        <span class="tree-state" aria-hidden="true">
          {state.ahead > 0 && <span>{`↑${state.ahead}`}</span>}
          {state.behind > 0 && <span>{`↓${state.behind}`}</span>}
          {state.files > 0 && <span>{`●${state.files}`}</span>}
        </span>
      )}
    </button>
  );
}

function stateWords({ state }: WorktreeChip): string {
  if (state === undefined) return 'its state is not known';
  const { ahead, behind, files } = state;
  const parts = [
    ...(ahead > 0 ? [`${counted(ahead, 'commit')} ahead`] : []),
    ...(behind > 0 ? [`${counted(behind, 'commit')} behind`] : []),
    ...(files > 0 ? [`${counted(files, 'file')} not committed`] : []),
  ];
  return parts.length === 0 ? 'no changes' : parts.join(', ');
}
