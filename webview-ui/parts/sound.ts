// A short, quiet tone at the end of a turn; made here, so that nothing has to be loaded.

const DURATION_S = 0.25;

export function playEndSound(): void {
  if (typeof AudioContext === 'undefined') return;
  const context = new AudioContext();
  const gain = context.createGain();
  gain.gain.setValueAtTime(0.05, context.currentTime);
  gain.gain.exponentialRampToValueAtTime(0.0001, context.currentTime + DURATION_S);
  gain.connect(context.destination);
  const tone = context.createOscillator();
  tone.type = 'sine';
  tone.frequency.setValueAtTime(660, context.currentTime);
  tone.frequency.setValueAtTime(880, context.currentTime + DURATION_S / 3);
  tone.connect(gain);
  tone.onended = () => void context.close();
  tone.start();
  tone.stop(context.currentTime + DURATION_S);
}
