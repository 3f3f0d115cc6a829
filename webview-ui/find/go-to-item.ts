// Leads to an item that was picked from a list, loaded and drawn or not, and puts the focus there.
import { goTo } from './go-to';

let cancelWay = (): void => undefined;

export function goToItem(id: string): void {
  cancelWay();
  cancelWay = goTo({
    id,
    index: 0,
    arrived: () => {
      const row = document.getElementById(`row-${id}`);
      if (row === null) return;
      row.tabIndex = -1;
      row.focus({ preventScroll: true });
    },
  });
}
