// Files that were over a cap before the cap held. The list only shrinks: bring a file under the cap and take it out.
export const notYetUnderTheCaps = {
  'house/max-lines-per-function': [],
  'max-params': [],
  complexity: [],
  'house/max-members': [],
};
