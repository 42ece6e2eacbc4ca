import '../shard.ts';
