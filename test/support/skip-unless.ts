// Tests that a machine cannot run say so.

/** To be called in a `describe`, before anything else. */
export function skipUnless(holds: boolean, why: string): void {
  before(function () {
    if (holds) return;
    console.log(`Skipped: ${why}`);
    this.skip();
  });
}
