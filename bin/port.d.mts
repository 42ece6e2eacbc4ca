export function portInUse(port: number | undefined): string;
export function portProblem(env: NodeJS.ProcessEnv): Promise<string | null>;
