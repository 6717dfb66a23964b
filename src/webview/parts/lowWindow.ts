import { type ReadonlySignal, signal } from '@preact/signals';

/** The query of `styles/low.css`. */
const query = window.matchMedia('(height < 400px)');
const isLowNow = signal(query.matches);
query.addEventListener('change', () => {
  isLowNow.value = query.matches;
});

/** Whether the tab is so low, or its font so large, that the composer shrinks to one line. */
export const isLow: ReadonlySignal<boolean> = isLowNow;
