// The prompts of a program that speaks with a run: each when the program says it, and undefined for the end.
export function spokenInput() {
  let take;
  async function* input() {
    for (;;) {
      const text = await new Promise((resolve) => (take = resolve));
      if (text === undefined) return;
      yield { type: 'user', message: { role: 'user', content: text }, parent_tool_use_id: null, session_id: '' };
    }
  }
  return { input: input(), say: (text) => take(text) };
}
