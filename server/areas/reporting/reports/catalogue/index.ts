/** All reports, in the order of the reference. */
import { attendancesReport } from './attendances.ts';
import { classesReport } from './classes.ts';
import { customersReport } from './customers.ts';
import type { Report } from '../report.ts';

export const REPORTS: readonly Report[] = [attendancesReport, classesReport, customersReport];
