/**
 * A chart of groups, drawn from the same response as the table below it, which has all of its content as text. The
 * comparison is an outline next to a filled bar, so that nobody has to distinguish colors.
 */
import { useEffect, useRef, useState } from 'react';
import { scaleOf } from './scale.ts';
import { words } from '../words.ts';

export interface Bar {
  readonly label: string;
  readonly value: number | null;
  readonly said: string;
  /** value of the previous period; absent without a comparison */
  readonly before?: number | null;
}

export interface ChartProps {
  readonly title: string;
  readonly bars: readonly Bar[];
  /** groups in time, drawn in the direction of the page */
  readonly isTime: boolean;
}

/** More bars are not distinguishable. */
export const MAX_BARS = 24;

const ROW = 28;
const HEIGHT = 220;
const FOOT = 24;

const isMirrored = document.documentElement.dir === 'rtl';

/** Returns the position from the left of something that is `wide`, at a distance from the side where lines begin. */
const placedIn =
  (width: number) =>
  (x: number, wide = 0): number =>
    isMirrored ? width - x - wide : x;

/** Assumes an average letter width, so that labels are cut before they leave the chart. */
const LETTER = 7.5;

const fitting = (text: string, width: number): string => {
  const most = Math.max(2, Math.floor(width / LETTER));
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
};

export function Chart({ title, bars, isTime }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => setWidth(Math.floor(entry.contentRect.width)));
    watch.observe(place.current!);
    return () => watch.disconnect();
  }, []);
  const shown = bars.slice(0, MAX_BARS);
  const compares = shown.some(({ before }) => before !== undefined);
  return (
    <figure className="chart">
      <figcaption>{title}</figcaption>
      <div ref={place}>
        {width > 0 ? (
          isTime ? (
            <Columns bars={shown} width={width} title={title} />
          ) : (
            <Rows bars={shown} width={width} title={title} />
          )
        ) : null}
      </div>
      {compares ? (
        <p className="small legend">
          <svg width="14" height="14" aria-hidden="true">
            <rect className="bar" x="1" y="1" width="12" height="12" />
          </svg>{' '}
          {words.say('chart.now')}{' '}
          <svg width="14" height="14" aria-hidden="true">
            <rect className="bar before" x="1" y="1" width="12" height="12" />
          </svg>{' '}
          {words.say('chart.before')}
        </p>
      ) : null}
      {bars.length > MAX_BARS ? (
        <p className="soft small">{words.say('chart.first', { n: MAX_BARS, all: bars.length })}</p>
      ) : null}
    </figure>
  );
}

interface DrawnProps extends Pick<ChartProps, 'title' | 'bars'> {
  readonly width: number;
}

const valuesOf = (bars: readonly Bar[]): number[] =>
  bars.flatMap(({ value, before }) => [value, before ?? null]).filter((one) => one !== null);

function Rows({ bars, width, title }: DrawnProps) {
  const longest = Math.max(...bars.map(({ label }) => label.length), 1) * LETTER + 12;
  const names = Math.min(200, width * 0.45, Math.max(width * 0.25, longest));
  const values = 84;
  const scale = scaleOf(valuesOf(bars), names, width - values);
  const placed = placedIn(width);
  const across = (value: number) => {
    const [a, b] = [scale.at(0), scale.at(value)];
    const wide = Math.max(1, Math.abs(b - a));
    return { x: placed(Math.min(a, b), wide), width: wide };
  };
  return (
    <svg role="img" aria-label={words.say('chart.image', { title })} width={width} height={bars.length * ROW}>
      {bars.map(({ label, value, said, before }, n) => {
        const both = before !== undefined;
        const top = n * ROW + 4;
        const thick = both ? 9 : 18;
        return (
          <g key={n}>
            <text x={placed(names - 8)} y={top + 13} className="name">
              {fitting(label, names - 12)}
            </text>
            {value === null ? null : <rect className="bar" {...across(value)} y={top} height={thick} />}
            {before === undefined || before === null ? null : (
              <rect className="bar before" {...across(before)} y={top + thick + 1} height={thick - 1} />
            )}
            <text x={placed(Math.max(scale.at(value ?? 0), scale.at(0)) + 6)} y={top + 13}>
              {said}
            </text>
          </g>
        );
      })}
      <line className="axis" x1={placed(scale.at(0))} x2={placed(scale.at(0))} y1={0} y2={bars.length * ROW} />
    </svg>
  );
}

type Scale = ReturnType<typeof scaleOf>;

function Columns({ bars, width, title }: DrawnProps) {
  // Coordinates point down: the largest value is at the top.
  const scale = scaleOf(valuesOf(bars), HEIGHT - FOOT, 20);
  const placed = placedIn(width);
  const step = width / bars.length;
  // The last text would leave the chart where it begins at its column.
  const beside = (x: number, text: string) =>
    x + text.length * LETTER > width
      ? ({ x: placed(width), textAnchor: 'end' } as const)
      : ({ x: placed(x), textAnchor: 'start' } as const);
  const every = Math.ceil((Math.max(...bars.map(({ label }) => label.length), 1) * 8) / step);
  const said = Math.ceil((Math.max(...bars.map((one) => one.said.length), 1) * 7.5) / step);
  return (
    <svg role="img" aria-label={words.say('chart.image', { title })} width={width} height={HEIGHT}>
      {bars.map(({ label, value, said: text, before }, n) => {
        const both = before !== undefined;
        const left = n * step + step * 0.15;
        const wide = Math.max(1, Math.min(48, step * (both ? 0.34 : 0.7)));
        return (
          <g key={n}>
            {before === undefined || before === null ? null : (
              <rect className="bar before" x={placed(left, wide)} width={wide} {...upwards(scale, before)} />
            )}
            {value === null ? null : (
              <rect
                className="bar"
                x={placed(left + (both ? wide + 1 : 0), wide)}
                width={wide}
                {...upwards(scale, value)}
              />
            )}
            {n % said === 0 && value !== null ? (
              <text {...beside(left, text)} y={Math.min(scale.at(value), scale.at(0)) - 4}>
                {text}
              </text>
            ) : null}
            {n % every === 0 ? (
              <text {...beside(left, label)} y={HEIGHT - 6}>
                {label}
              </text>
            ) : null}
          </g>
        );
      })}
      <line className="axis" x1={0} x2={width} y1={scale.at(0)} y2={scale.at(0)} />
    </svg>
  );
}

const upwards = (scale: Scale, value: number) => {
  const [a, b] = [scale.at(0), scale.at(value)];
  return { y: Math.min(a, b), height: Math.max(1, Math.abs(b - a)) };
};
