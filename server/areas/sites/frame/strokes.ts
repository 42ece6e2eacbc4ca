/** A signature as the script of the page sends it: lines of points, for example `10,20 12,24;40,20`. Pure. */
const WIDTH = 600;
const HEIGHT = 200;
const POINT = /^(\d{1,3}),(\d{1,3})$/;

type Point = readonly [x: number, y: number];

/** Returns the lines; null if nothing was drawn, or if it isn't from our script. */
export function linesIn(sent: string): readonly (readonly Point[])[] | null {
  if (sent === '') return null;
  const lines = sent.split(';').map((line) => line.split(' ').map(pointIn));
  return lines.every((line) => line.every((point) => point !== null)) ? (lines as Point[][]) : null;
}

function pointIn(text: string): Point | null {
  const [, x, y] = POINT.exec(text) ?? [];
  const point: Point = [Number(x), Number(y)];
  return x !== undefined && point[0] <= WIDTH && point[1] <= HEIGHT ? point : null;
}

/** Returns the lines as a drawing. */
export const drawingOf = (lines: readonly (readonly Point[])[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">
<g fill="none" stroke="#1b1f24" stroke-width="3" stroke-linecap="round" stroke-linejoin="round">${lines
    .map((line) => `<polyline points="${[...line, line[0]].slice(0, Math.max(2, line.length)).join(' ')}"/>`)
    .join('')}</g></svg>`;

export const DRAWING_WIDTH = WIDTH;
