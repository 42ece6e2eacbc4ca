// Draws a signature with a finger, a pen or a mouse, and writes its lines into the form. Without this script, people type
// their names.
'use strict';

const WIDTH = 600;
const HEIGHT = 200;
const MAX_LENGTH = 7900;

const within = (value, max) => Math.min(max, Math.max(0, Math.round(value * max)));

const part = document.querySelector('[data-signature]');
const field = document.querySelector('input[name=lines]');
if (part && field) prepare();

function prepare() {
  const canvas = part.querySelector('canvas');
  const pen = canvas.getContext('2d');
  const lines = [];
  let line = null;
  part.hidden = false;
  Object.assign(pen, { lineWidth: 3, lineCap: 'round', lineJoin: 'round' });
  const pointOf = (event) => {
    const box = canvas.getBoundingClientRect();
    return [
      within((event.clientX - box.left) / box.width, WIDTH),
      within((event.clientY - box.top) / box.height, HEIGHT),
    ];
  };
  const write = () => {
    field.value = lines.map((one) => one.map((point) => point.join(',')).join(' ')).join(';');
  };
  const drawTo = ([x, y]) => {
    const [fromX, fromY] = line.at(-1) ?? [x, y];
    pen.strokeStyle = getComputedStyle(canvas).color;
    pen.beginPath();
    pen.moveTo(fromX, fromY);
    pen.lineTo(x, y);
    pen.stroke();
    line.push([x, y]);
  };
  canvas.addEventListener('pointerdown', (event) => {
    if (field.value.length > MAX_LENGTH) return;
    event.preventDefault();
    canvas.setPointerCapture(event.pointerId);
    line = [];
    lines.push(line);
    drawTo(pointOf(event));
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!line) return;
    const point = pointOf(event);
    const [x, y] = line.at(-1);
    // Close points say nothing, and the form has room for a few hundred.
    if (Math.hypot(point[0] - x, point[1] - y) < 4) return;
    drawTo(point);
    write();
    if (field.value.length > MAX_LENGTH) line = null;
  });
  for (const end of ['pointerup', 'pointercancel'])
    canvas.addEventListener(end, () => {
      line = null;
      write();
    });
  part.querySelector('button').addEventListener('click', () => {
    lines.length = 0;
    pen.clearRect(0, 0, WIDTH, HEIGHT);
    write();
  });
}
