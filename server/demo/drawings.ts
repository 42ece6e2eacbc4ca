/**
 * Drawings of the demo studio: its logo, harbour, classes, instructors and rooms. The service reads the pictures
 * rendered from them (`server/test/demo-pictures.ts`), because rendering takes seconds, and memory that would not be released. Run
 * `node bin/rollcall.mjs run server/test/demo-pictures.ts` to render them again.
 */
import { createHash } from 'node:crypto';

const svg = (width: number, height: number, body: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${body}</svg>`;

const INK = '#134e4a';
const TEAL = '#0f766e';
const MINT = '#99d5c9';
const SAND = '#fdf0de';
const PEACH = '#fbd5b5';
const CORAL = '#f0805a';
const GOLD = '#f8c15c';
const SKIN = ['#8d5a3c', '#e9b48f', '#c68a63'] as const;

/** Returns a vertical gradient, from top to bottom. */
const fade = (id: string, ...colors: readonly string[]): string =>
  `<linearGradient id="${id}" x2="0" y2="1">${colors.map((color, i) => `<stop offset="${i / (colors.length - 1)}" stop-color="${color}"/>`).join('')}</linearGradient>`;

const wave = (y: number, color: string, high = 24, width = 1920, height = 820): string => {
  const step = width / 8;
  const crests = Array.from({ length: 8 }, (_, i) => `q${step / 2} ${i % 2 === 0 ? -high : high} ${step} 0`).join('');
  return `<path d="M0 ${y}${crests}V${height}H0z" fill="${color}"/>`;
};

const boat = (x: number, y: number, size: number, sail: string): string =>
  `<g transform="translate(${x} ${y}) scale(${size})"><path d="M-4-150v140h-82z" fill="${sail}"/><path d="M8-130v120h62z" fill="#fff"/><path d="M0-160V0" stroke="${INK}" stroke-width="7"/><path d="M-100 0H96q-14 46-52 46h-96q-36 0-48-46z" fill="${INK}"/></g>`;

const LOGO = svg(
  512,
  512,
  `<defs><clipPath id="c"><circle cx="256" cy="256" r="240"/></clipPath></defs><g clip-path="url(#c)"><path d="M0 0h512v512H0z" fill="${TEAL}"/><circle cx="256" cy="236" r="104" fill="${GOLD}"/><path d="M0 300q64-44 128 0t128 0 128 0 128 0v212H0z" fill="${MINT}"/><path d="M0 364q64-44 128 0t128 0 128 0 128 0v148H0z" fill="${SAND}"/><path d="M0 428q64-44 128 0t128 0 128 0 128 0v84H0z" fill="${INK}"/></g>`,
);

const COVER = svg(
  1920,
  820,
  `<defs>${fade('sky', '#f9b48a', '#fcd9b0', '#fef1dc')}${fade('sea', '#5cb8ac', '#1f8a80', TEAL)}</defs>
<path d="M0 0h1920v820H0z" fill="url(#sky)"/>
<circle cx="1240" cy="330" r="150" fill="#fff3d6" opacity=".55"/><circle cx="1240" cy="330" r="112" fill="${GOLD}"/>
<g fill="#fff" opacity=".5"><path d="M250 170q10-40 60-40 20-50 84-36 60-10 76 36 54-4 62 40z"/><path d="M1500 130q8-30 48-30 20-40 70-24 46-4 56 24 42 0 48 30z"/></g>
<path d="M0 430q160-150 330-90 140-130 330-20 150-60 270 60 190-70 330 20 200-130 380-30 150-60 280 40v120H0z" fill="#7fa99b"/>
<path d="M0 450q240-90 470-20 250-80 480 10 240-70 470 0 250-80 500-10v90H0z" fill="#4d8a7d"/>
<g fill="${SAND}"><path d="M150 380h90v80h-90z"/><path d="M255 350h70v110h-70z"/><path d="M340 395h100v65H340z"/><path d="M1620 365h80v95h-80z"/><path d="M1715 390h110v70h-110z"/></g>
<g fill="${CORAL}"><path d="M140 380l55-46 55 46z"/><path d="M330 395l60-44 60 44z"/><path d="M1705 390l65-46 65 46z"/></g><path d="M245 350l45-50 45 50z" fill="${INK}"/><path d="M1612 365l48-44 48 44z" fill="${INK}"/>
<path d="M0 458h1920v362H0z" fill="url(#sea)"/>
<g fill="${GOLD}" opacity=".6"><path d="M1130 486h220v10h-220z"/><path d="M1170 520h150v10h-150z"/><path d="M1090 560h250v12h-250z"/><path d="M1190 602h110v12h-110z"/></g>
${boat(700, 560, 1.25, CORAL)}${boat(1540, 520, 0.7, '#fff')}${boat(420, 505, 0.5, GOLD)}
${wave(640, '#2d958a', 20)}${wave(710, '#15756c', 26)}${wave(776, INK, 22)}`,
);

/** Returns the limbs of a person as thick lines. */
const limbs = (color: string, ...paths: readonly string[]): string =>
  `<g fill="none" stroke="${color}" stroke-width="42" stroke-linecap="round" stroke-linejoin="round">${paths.map((d) => `<path d="${d}"/>`).join('')}</g>`;
const head = (x: number, y: number, skin: string, hair: string): string =>
  `<circle cx="${x}" cy="${y}" r="40" fill="${skin}"/><path d="M${x - 42} ${y}a42 42 0 0 1 84 0q-20-22-42-22t-42 22z" fill="${hair}"/><circle cx="${x + 22}" cy="${y - 44}" r="19" fill="${hair}"/>`;
const mat = (color: string, y = 512): string =>
  `<rect x="150" y="${y}" width="600" height="20" rx="10" fill="${color}"/>`;
const leaf = (x: number, y: number, turn: number, size: number, color: string): string =>
  `<g transform="translate(${x} ${y}) rotate(${turn}) scale(${size})"><path d="M0 0q-46-70 0-160q46 90 0 160z" fill="${color}"/><path d="M0 0v-120" stroke="#fff" stroke-opacity=".35" stroke-width="5"/></g>`;
const plant = (x: number, y: number, size = 1): string =>
  `<g transform="translate(${x} ${y}) scale(${size})">${[-58, -28, 0, 30, 60].map((turn, i) => leaf(0, -60, turn, 0.95, i % 2 === 0 ? TEAL : '#2f9e8f')).join('')}<path d="M-54-70H54l-14 84h-80z" fill="${CORAL}"/></g>`;

const picture = (ground: string, floor: string, body: string): string =>
  svg(900, 600, `<path d="M0 0h900v600H0z" fill="${ground}"/><path d="M0 470h900v130H0z" fill="${floor}"/>${body}`);

/** Pictures by the name of the class. */
const CLASS_PICTURES: Readonly<Record<string, string>> = {
  'Vinyasa Flow': picture(
    PEACH,
    '#f6b98c',
    `<circle cx="450" cy="300" r="220" fill="${GOLD}"/>${mat(TEAL)}${limbs(SKIN[1], 'M450 268H262', 'M450 268h190')}${limbs(INK, 'M444 378L268 496', 'M456 378l130 26v92')}<path d="M412 250h76l-8 138h-60z" fill="${CORAL}" stroke="${CORAL}" stroke-width="16" stroke-linejoin="round"/>${head(450, 190, SKIN[1], '#3b2417')}`,
  ),
  'Gentle Yoga': picture(
    '#dff1ec',
    '#b9ded4',
    `<circle cx="450" cy="280" r="210" fill="#fff" opacity=".65"/>${plant(740, 470, 1.15)}${leaf(150, 480, -18, 1.3, '#2f9e8f')}${leaf(190, 480, 14, 1.6, TEAL)}${mat('#f6b98c')}${limbs(INK, 'M450 452L316 474 436 492', 'M450 452l134 22-120 18')}${limbs(SKIN[0], 'M424 306l-60 76-40 66', 'M476 306l60 76 40 66')}<path d="M416 292h68l6 150h-80z" fill="${TEAL}" stroke="${TEAL}" stroke-width="18" stroke-linejoin="round"/>${head(450, 228, SKIN[0], '#1f1410')}`,
  ),
  'Mat Pilates': picture(
    SAND,
    '#f3dcc0',
    `<path d="M0 470V250l230-120 260 150 210-110 200 130v170z" fill="#fbe3c8"/><circle cx="690" cy="150" r="64" fill="${CORAL}"/>${mat(TEAL)}${limbs(INK, 'M420 478l252-170')}${limbs(SKIN[2], 'M330 352l210-8')}<path d="M430 478L318 350" stroke="${CORAL}" stroke-width="66" stroke-linecap="round"/>${limbs(SKIN[2], 'M672 308l20-14')}${head(282, 274, SKIN[2], '#5b3420')}`,
  ),
  'Strength Basics': picture(
    '#0f5f59',
    INK,
    `<circle cx="450" cy="290" r="230" fill="${TEAL}"/><path d="M380 270q-30-120 70-120t70 120" fill="none" stroke="${GOLD}" stroke-width="40"/><circle cx="450" cy="380" r="138" fill="${CORAL}"/><circle cx="450" cy="380" r="56" fill="${SAND}"/><g fill="${MINT}"><rect x="60" y="440" width="50" height="96" rx="14"/><rect x="230" y="440" width="50" height="96" rx="14"/><rect x="100" y="476" width="140" height="24"/></g><g fill="${GOLD}"><rect x="640" y="452" width="44" height="84" rx="14"/><rect x="790" y="452" width="44" height="84" rx="14"/><rect x="676" y="483" width="122" height="22"/></g>`,
  ),
  'Candlelight Yin': svg(
    900,
    600,
    `<defs>${fade('n', '#1e2a4a', '#3b2f63')}<radialGradient id="g"><stop stop-color="#ffd98a" stop-opacity=".9"/><stop offset="1" stop-color="#ffd98a" stop-opacity="0"/></radialGradient></defs><path d="M0 0h900v600H0z" fill="url(#n)"/><path d="M0 480h900v120H0z" fill="#241d42"/><circle cx="690" cy="130" r="56" fill="${SAND}"/><circle cx="666" cy="118" r="52" fill="#26304f"/>${[
      [300, 300, 1],
      [450, 220, 1.1],
      [600, 330, 0.9],
    ]
      .map(
        ([x, y, s]) =>
          `<circle cx="${x}" cy="${y}" r="${150 * s}" fill="url(#g)"/><path d="M${x} ${y - 66}q44 62 0 84q-44-22 0-84z" fill="${GOLD}"/><path d="M${x} ${y - 22}q18 28 0 38q-18-10 0-38z" fill="#fff6df"/><rect x="${x - 46}" y="${y + 30}" width="92" height="${480 - y}" rx="10" fill="${SAND}"/>`,
      )
      .join('')}`,
  ),
  'Reformer Pilates': picture(
    '#e4ece9',
    '#c9d8d3',
    `<path d="M110 110h250v250H110zM400 110h250v250H400z" fill="#fff"/><path d="M110 290q60-60 125-20t125-10v100H110zM400 270q70-40 125 0t125-10v100H400z" fill="${MINT}"/>${plant(780, 470, 1.1)}<g stroke-linecap="round"><path d="M120 470h600M140 478v60M700 478v60" stroke="${INK}" stroke-width="24" fill="none"/><path d="M170 440l24-34 24 34 24-34 24 34 24-34 24 34 24-34 24 34" stroke="${CORAL}" stroke-width="11" fill="none" stroke-linejoin="round"/><rect x="370" y="402" width="250" height="52" rx="22" fill="${TEAL}"/><path d="M600 400v-54M560 400v-54" stroke="${INK}" stroke-width="20"/><path d="M120 460v-110h90" stroke="${INK}" stroke-width="20" fill="none" stroke-linejoin="round"/></g>`,
  ),
};

const portrait = (ground: string, skin: string, hair: string, shirt: string, behind: string): string =>
  svg(
    480,
    480,
    `<path d="M0 0h480v480H0z" fill="${ground}"/>${behind}<path d="M70 480q10-130 120-140h100q110 10 120 140z" fill="${shirt}"/><path d="M200 300h80v60q-40 34-80 0z" fill="${skin}"/><path d="M200 318q40 30 80 0v20q-40 30-80 0z" fill="#000" opacity=".12"/><ellipse cx="240" cy="226" rx="82" ry="98" fill="${skin}"/>${hair}<g fill="#2a1a12"><circle cx="210" cy="232" r="7"/><circle cx="270" cy="232" r="7"/></g><path d="M214 272q26 22 52 0" fill="none" stroke="#2a1a12" stroke-width="6" stroke-linecap="round"/>`,
  );

/** Pictures by the first name of the instructor. */
const TEACHER_PICTURES: Readonly<Record<string, string>> = {
  Maya: portrait(
    PEACH,
    SKIN[1],
    '<path d="M152 250q-14-150 88-150t88 150q-14-70-52-88q-60 30-124 88z" fill="#6b3a1e"/><circle cx="240" cy="88" r="46" fill="#6b3a1e"/>',
    TEAL,
    `<circle cx="240" cy="220" r="190" fill="${GOLD}" opacity=".55"/>`,
  ),
  Tomas: portrait(
    '#cfe8e1',
    SKIN[2],
    '<path d="M156 214q-6-120 84-120t84 120q-8-40-30-56q-60 14-108 0q-22 16-30 56z" fill="#241610"/><path d="M160 250q4 94 80 94t80-94q-10 44-40 44q-20-14-40-14t-40 14q-30 0-40-44z" fill="#241610"/>',
    CORAL,
    `<circle cx="240" cy="220" r="190" fill="#fff" opacity=".6"/>`,
  ),
};

const room = (wall: string, floor: string, view: string, body: string): string =>
  svg(
    900,
    600,
    `<path d="M0 0h900v600H0z" fill="${wall}"/><path d="M0 430h900v170H0z" fill="${floor}"/><g><path d="M180 70h540v300H180z" fill="#fdf6ea"/>${view}<path d="M180 70h540v300H180zM360 70v300M540 70v300" fill="none" stroke="#fff" stroke-width="18"/></g>${body}`,
  );
const mats = (...colors: readonly string[]): string =>
  colors.map((color, i) => `<path d="M${110 + i * 180} 470h130l-24 100H${70 + i * 190}z" fill="${color}"/>`).join('');

/** Pictures by the name of the room. */
const ROOM_PICTURES: Readonly<Record<string, string>> = {
  'Lake Room': room(
    '#eadfce',
    '#d8b98f',
    `<path d="M180 70h540v300H180z" fill="#fde3c3"/><circle cx="600" cy="190" r="46" fill="${GOLD}"/><path d="M180 250q140-70 270-20t270-10v150H180z" fill="#6fa79a"/><path d="M180 280h540v90H180z" fill="#2d958a"/>`,
    mats(TEAL, CORAL, TEAL, GOLD),
  ),
  'Garden Room': room(
    '#e2ebe2',
    '#c7a47a',
    `<path d="M180 70h540v300H180z" fill="#d7f0e6"/><path d="M180 370q30-150 110-90 40-110 130-30 70-90 150 0 90-50 150 120z" fill="#4d8a7d"/>`,
    `${mats(CORAL, MINT, CORAL, MINT)}${plant(90, 430, 1.1)}${plant(820, 430, 1.25)}`,
  ),
};

interface Drawing {
  readonly name: string;
  readonly svg: string;
  readonly width: number;
}

export const DRAWINGS: readonly Drawing[] = [
  { name: 'logo', svg: LOGO, width: 512 },
  { name: 'cover', svg: COVER, width: 1600 },
  ...Object.entries({ ...CLASS_PICTURES, ...ROOM_PICTURES }).map(([name, svg]) => ({ name, svg, width: 640 })),
  ...Object.entries(TEACHER_PICTURES).map(([name, svg]) => ({ name, svg, width: 480 })),
];

/** Returns a checksum of each drawing by the name of its picture. */
export const sumsOfDrawings = (): Record<string, string> =>
  Object.fromEntries(
    DRAWINGS.map(({ name, svg, width }) => [name, createHash('sha256').update(`${width}\n${svg}`).digest('hex')]),
  );
