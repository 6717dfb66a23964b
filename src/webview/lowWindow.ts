import { type ReadonlySignal, signal } from '@preact/signals';

/** As in `styles/low.css`. */
const query = window.matchMedia('(height < 400px)');
const isLowNow = signal(query.matches);
query.addEventListener('change', () => {
  isLowNow.value = query.matches;
});

/** The tab is so low, or its text so large, that the composer is one line. */
export const isLow: ReadonlySignal<boolean> = isLowNow;
