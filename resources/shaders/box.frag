#version 330 core
// A face with a thin edge of constant width on the screen; what is far fades into the ground a little.
in vec2 place;
flat in vec2 side;
flat in vec4 fillColour;
flat in vec4 edgeColour;
flat in float edgeWidth;

uniform vec3 ground;
uniform vec2 depths;
uniform float haze;
uniform float pixel;

out vec4 colour;

void main() {
    vec2 step = max(sqrt(dFdx(place) * dFdx(place) + dFdy(place) * dFdy(place)), vec2(1e-6));
    vec2 inside = min(place, side - place) / step;
    float away = min(inside.x, inside.y);
    // Faces of a few pixels would be nothing but edge.
    float room = clamp(min(side.x / step.x, side.y / step.y) / (8.0 * pixel), 0.0, 1.0);
    float line = edgeWidth > 0.0 ? 1.0 - smoothstep(edgeWidth * pixel - 0.5, edgeWidth * pixel + 0.5, away) : 0.0;
    vec4 mixed = mix(fillColour, edgeColour, line * room);
    float far = clamp((1.0 / gl_FragCoord.w - depths.x) / (depths.y - depths.x), 0.0, 1.0);
    colour = vec4(mix(mixed.rgb, ground, haze * far), mixed.a);
}
