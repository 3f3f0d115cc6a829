// The key by which hosts tell a session what the user did to its files. It imports types alone, so that naming it loads nothing.
import { featureKey } from '../../feature/feature-key';
import { type Path } from '../../ports/path';

/** What the user did with Deft: whatever else changes a file is seen in the file alone. */
export type UserAct = 'undone' | 'rewound';

export interface FileChanges {
  /** The next request says what stands in these files now, where the model knows them. */
  acted(act: UserAct, paths: readonly Path[]): void;
}

export const fileChanges = featureKey<FileChanges>('file-changes');
