// Files that were over a cap before the cap held. The list only shrinks: bring a file under the cap and take it out.
export const notYetUnderTheCaps = {
  'house/max-lines-per-function': ['src/headless/command-line.ts', 'src/node/checkpoints/node-checkpoints.ts'],
  'max-params': [],
  complexity: ['src/headless/command-line.ts'],
  'house/max-members': ['src/core/skills/skill.ts', 'src/headless/command-line.ts'],
};
