import './leave-traces.ts';
