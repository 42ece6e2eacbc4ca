/** The job that calculates pay. Its name is stored with waiting jobs. */
export const CALCULATE_TASK = 'calculate_instructor_pay';
