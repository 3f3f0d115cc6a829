// The item that the find bar is on its way to: turns up to it are drawn at once.
import { signal } from '@preact/signals';

export const wantedItem = signal<string | undefined>(undefined);
