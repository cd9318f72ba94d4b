#version 330 core
// The texture's colour, tinted.
noperspective in vec2 at;
flat in vec4 spriteColour;

uniform sampler2D sheet;

out vec4 colour;

void main() {
    colour = texelFetch(sheet, ivec2(floor(at)), 0) * spriteColour;
}
