/** Reads workbooks with other code than that which writes them: the ZIP directory, and an XML parser. */
import assert from 'node:assert/strict';
import { crc32, inflateRawSync } from 'node:zlib';
import { XMLParser } from 'fast-xml-parser';

/** Returns the texts in a ZIP file by name. */
export const unzip = (file: Buffer): Map<string, string> =>
  new Map([...filesIn(file)].map(([name, content]) => [name, content.toString()]));

/** Returns the files in a ZIP file by name, after checking the checksums and sizes in its directory. */
export function filesIn(file: Buffer): Map<string, Buffer> {
  const end = file.lastIndexOf(Buffer.from('PK\x05\x06'));
  const found = new Map<string, Buffer>();
  let at = file.readUInt32LE(end + 16);
  for (let left = file.readUInt16LE(end + 10); left > 0; left--) {
    assert.equal(file.toString('latin1', at, at + 4), 'PK\x01\x02');
    const [crc, packed, size, nameLength] = [16, 20, 24]
      .map((n) => file.readUInt32LE(at + n))
      .concat(file.readUInt16LE(at + 28));
    const name = file.toString('utf8', at + 46, at + 46 + nameLength);
    const local = file.readUInt32LE(at + 42);
    assert.equal(file.toString('latin1', local, local + 4), 'PK\x03\x04', name);
    const from = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
    const bytes = file.subarray(from, from + packed);
    const content = file.readUInt16LE(at + 10) === 0 ? bytes : inflateRawSync(bytes);
    assert.deepEqual([content.length, crc32(content)], [size, crc], name);
    found.set(name, content);
    at += 46 + nameLength + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  assert.equal(at, end);
  return found;
}

export interface ReadCell {
  readonly type: 'number' | 'text' | 'boolean' | 'empty';
  readonly value: unknown;
  /** number format: `0.00`, `yyyy-mm-dd` */
  readonly format: string | null;
}

export interface ReadSheet {
  readonly name: string;
  readonly rows: readonly (readonly ReadCell[])[];
}

const parser = new XMLParser({
  ignoreAttributes: false,
  parseTagValue: false,
  trimValues: false,
  attributeNamePrefix: '',
  isArray: (name) => ['sheet', 'Relationship', 'row', 'c', 'numFmt', 'xf'].includes(name),
});

/** Returns the number in a cell for a date, or for an instant without a zone. */
export const dayNumberOf = (wall: string): number =>
  (Date.parse(`${wall.length === 10 ? `${wall}T00:00:00` : wall}Z`) - Date.parse('1899-12-30T00:00:00Z')) / 86_400_000;

const unescaped = (text: string): string =>
  text.replaceAll(/_x([0-9A-F]{4})_/g, (_, code) => String.fromCharCode(parseInt(code, 16)));

function cellOf(c: any, styles: readonly any[], formats: ReadonlyMap<string, string>): ReadCell {
  assert.equal(typeof c === 'object' && 'f' in c, false, 'a formula');
  if (c === '' || (c.v === undefined && c.is === undefined)) return { type: 'empty', value: null, format: null };
  const format = formats.get(styles[Number(c.s ?? 0)].numFmtId) ?? null;
  if (c.t === 'inlineStr')
    return { type: 'text', value: unescaped(typeof c.is.t === 'object' ? c.is.t['#text'] : c.is.t), format };
  if (c.t === 'b') return { type: 'boolean', value: c.v === '1', format };
  assert.equal(c.t, undefined);
  return { type: 'number', value: Number(c.v), format };
}

/** Returns the sheets of a workbook in order. No cell may be a formula. */
export function readWorkbook(file: Buffer): ReadSheet[] {
  const parts = unzip(file);
  const parsed = (name: string) => parser.parse(parts.get(name)!);
  const types = parts.get('[Content_Types].xml')!;
  const { styleSheet } = parsed('xl/styles.xml');
  const formats = new Map<string, string>(styleSheet.numFmts.numFmt.map((one: any) => [one.numFmtId, one.formatCode]));
  const relations: any[] = parsed('xl/_rels/workbook.xml.rels').Relationships.Relationship;
  return parsed('xl/workbook.xml').workbook.sheets.sheet.map((sheet: any) => {
    const path = `xl/${relations.find(({ Id }) => Id === sheet['r:id']).Target}`;
    assert.ok(types.includes(`PartName="/${path}"`), path);
    const rows: any[] = parsed(path).worksheet.sheetData.row ?? [];
    return {
      name: sheet.name,
      rows: rows.map((row) => row.c.map((c: any) => cellOf(c, styleSheet.cellXfs.xf, formats))),
    };
  });
}
