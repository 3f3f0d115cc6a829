// The colours of agents: marks that can be seen in every theme, in the card and in the strip.
import assert from 'node:assert/strict';
import { agentColors } from '../../../src/shared/agent-color';
import { type ToolItem } from '../../../src/shared/chat';
import { type Check, axeFindings } from './checks';
import { snapshot, working } from './conversations';
import { type Harness } from './harness';

const card = (color: (typeof agentColors)[number]): ToolItem => ({
  kind: 'tool',
  id: `a-${color}`,
  name: 'Agent',
  sentence: { now: `${color}er agent: Find it`, past: `${color}er agent: Find it` },
  state: 'done',
  readOnly: false,
  detail: '1 tool use',
  color,
});

/** A card and a row in each colour. */
export async function showAgents({ page, send }: Harness): Promise<void> {
  await send(
    snapshot({
      ...working,
      items: agentColors.map(card),
      background: agentColors.map((color) => ({
        id: color,
        kind: 'agent',
        title: `${color}er: Find it`,
        startedAt: 0,
        color,
      })),
    }),
  );
  await page.getByRole('button', { name: 'Background 8' }).click();
}

export const agentChecks: Check[] = (['dark', 'light', 'contrast'] as const).map((theme): Check => ({
  name: `agents: their colours are seen in ${theme}`,
  options: { theme },
  run: async (harness) => {
    const { page } = harness;
    await showAgents(harness);
    const contrasts = await page.evaluate(
      (colors) => {
        const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
        if (context === null) return [];
        const luminance = (color: string): number => {
          context.fillStyle = color;
          context.fillRect(0, 0, 1, 1);
          const [red = 0, green = 0, blue = 0] = [...context.getImageData(0, 0, 1, 1).data]
            .slice(0, 3)
            .map((part) => (part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
          return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
        };
        const ground = luminance(getComputedStyle(document.body).backgroundColor);
        const against = (color: string): number =>
          (Math.max(luminance(color), ground) + 0.05) / (Math.min(luminance(color), ground) + 0.05);
        return colors.map((color) => {
          const [dot, icon] = [
            document.querySelector(`.agent-dot.agent-${color}`),
            document.querySelector(`.background-item .agent-${color}`),
          ];
          return dot === null || icon === null
            ? 'missing'
            : [color, against(getComputedStyle(dot).backgroundColor), against(getComputedStyle(icon).color)];
        });
      },
      [...agentColors],
    );
    for (const found of contrasts)
      assert.ok(Array.isArray(found) && Number(found[1]) >= 3 && Number(found[2]) >= 3, JSON.stringify(found));
    assert.equal(new Set(contrasts.map((found) => found[1])).size, agentColors.length, 'each is a colour of its own');
    assert.deepEqual(await axeFindings(page), []);
  },
}));
